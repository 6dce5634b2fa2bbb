"""The files of a table: its folder, manifest, shards and plain arrays."""
