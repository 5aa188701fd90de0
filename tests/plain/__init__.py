"""The plain side of the comparison: random streams and policies in Python ints, from their definition."""
