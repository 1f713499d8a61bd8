"""Identification: the parameters of an arm from what it did."""
