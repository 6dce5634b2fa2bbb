"""The operations of backends: a file a subject, a dataclass an operation."""
