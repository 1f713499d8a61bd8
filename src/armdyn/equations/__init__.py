"""Equations a person can read: derived for any arm, simplified with a known error, printed."""
