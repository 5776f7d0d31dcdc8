"""One file a part of the API."""
