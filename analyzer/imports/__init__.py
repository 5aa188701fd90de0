"""Records that people wrote: readers of their formats, hidden tiles filled in, replayed into traces."""
