"""Threat graphs: built from a board class, brought to a normal form, numbered and kept."""
