"""The pages below docs/ that a program writes, and tests that hold every page to what the program does."""
