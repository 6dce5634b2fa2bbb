"""What the server and its page take, and what they do under attack."""
