"""The rules, and the only place where they are: compiled kernels over one record per game."""
