"""Large studies: a quantity over thousands to billions of points, on many processes, resumable."""
