"""The service: fitted models behind HTTP, Annif's API beside our own, and the page where people see why.

settings      where to listen, and the limits
project       a model and its run; the taxonomy, corpus and feedback that belong to it
reading       uploads become papers, in processes that may be killed; `parsing` is what they do
batching      requests that come at the same time are answered together
answering     rankings, and why
routes/       one file a part of the API; `annif` speaks Annif's
guard         who may ask, and how much
app, server   all of it together
"""
