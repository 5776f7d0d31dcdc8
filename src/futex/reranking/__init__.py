"""Beyond the paper, its second future direction: a large language model grades the best labels of each paper.

A language model reads neither a whole paper nor ten thousand labels. So it is asked last, about the few labels that the
ranking puts on top and about what the paper says of each.
"""
