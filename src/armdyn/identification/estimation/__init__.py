"""Estimates of base parameters from samples: least squares of every kind, with what they are worth."""
