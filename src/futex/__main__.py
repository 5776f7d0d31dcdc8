"""`python -m futex`."""

from futex.cli import main

main()
