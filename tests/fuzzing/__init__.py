"""Hostile and damaged files through every reader, and a count of how they end; see `__main__.py`."""
