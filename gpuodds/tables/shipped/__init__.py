"""The two tables that ship: their data, readers and builders."""
