"""Observations: named sections, declared once, and the kernels that write them."""
