"""Training policies by self-play: `python -m train`."""
