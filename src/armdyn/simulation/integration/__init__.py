"""How runs are integrated: with a fixed step, from event to event, or many at once."""
