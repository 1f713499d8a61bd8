"""Robot programs that come with armdyn."""
