"""The environment as other libraries want it: one file for each, importing that library."""
