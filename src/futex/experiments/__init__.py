"""Every table and figure of the paper on any corpus.

plans → jobs (a method, run once) → units (their rankings, on disk) → scores → results → writing
"""
