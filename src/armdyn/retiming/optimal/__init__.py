"""The time-optimal motion along a path: as fast as the limits allow at every point."""
