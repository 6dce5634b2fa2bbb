"""Reading requests: one form for all spellings, and what answering costs."""
