"""Beyond the paper: how a paper names a label, and where, tells more than what a PLM makes of its abstract."""
