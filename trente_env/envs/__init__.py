"""Environments of other libraries' kinds: thin shells over games. PettingZoo and Gymnasium are known here only."""
