"""Processes that armdyn starts to work for it: what goes through their pipes, and how they end."""
