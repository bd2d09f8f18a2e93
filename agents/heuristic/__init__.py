"""Heuristic policies: compiled kernels over views.

by_value.py   greedy, knock@T: the hand's value alone
adaptive.py   adaptive: what a hand promises (worth.py), by numbers found in simulation (tables.py, made by fit.py)
seeds.py      seeds: the printed tips
hands.py      the arithmetic they share
policies.py   all of them as policies
"""

from __future__ import annotations

from agents.heuristic.policies import make_adaptive, make_greedy, make_knock, make_seeds

__all__ = ["make_adaptive", "make_greedy", "make_knock", "make_seeds"]
