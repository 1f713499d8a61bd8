"""What articulated bodies stand on: their inertia, open coordinates, and when these are eliminated."""
