"""What is answered at once."""
