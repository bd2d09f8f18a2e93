"""Learned policies: networks, run folders, and playing from them. torch is needed to train, not to play."""
