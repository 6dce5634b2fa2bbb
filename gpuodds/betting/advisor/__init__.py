"""The advisor's session: a conversation, hand after hand."""
