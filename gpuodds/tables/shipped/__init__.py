"""The tables that ship: their data, readers and builders."""
