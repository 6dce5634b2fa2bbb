"""The ``gpuodds`` command: parse, call the library, print. A file per command."""
