"""What drives an arm, and what it did, in files and figures."""
