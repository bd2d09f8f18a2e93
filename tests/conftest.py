"""What all tests share: one thread per test process, and how Hypothesis searches."""

from __future__ import annotations

import os

from hypothesis import settings

# Read by numpy and torch when they are imported, so before any test module is.
for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_variable] = "1"

# No deadline: the first example of a test may compile kernels. In CI the examples are the same in every run, so that a
# change is judged by what it changed; elsewhere they differ, so that new ones are found.
settings.register_profile("local", deadline=None, print_blob=True)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
