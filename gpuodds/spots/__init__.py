"""What is asked: spots, ranges and the texts they are read from, checked once."""
