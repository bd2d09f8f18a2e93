"""Chance as a function of the seed: a small counter-based generator over 63-bit ints.

The order of the cards is keyed by (game seed, deal number, reshuffle number) and the k-th card drawn by k, so the same
seed gives the same cards in a single game, in any row of any batch, compiled or not, and however the rounds before
were played. The mixing step is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014) cut to 63 bits, so that
compiled int64 and Python ints agree.
"""

from __future__ import annotations

from typing import Final

from trente_env._jit import add_63, kernel, multiply_63

MAX_SEED: Final = 2**63 - 1
_GOLDEN: Final = 0x1E3779B97F4A7C15
_FIRST_FACTOR: Final = 0x3F58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x14D049BB133111EB

STREAM_DECK: Final = 0
STREAM_DEALER: Final = 1
STREAM_POLICY: Final = 2
STREAM_WORLD: Final = 3
STREAM_NEXT_GAME: Final = 4
STREAM_BATCH: Final = 5
STREAM_OPPONENTS: Final = 6


@kernel(inline=True)
def combine(key: int, number: int) -> int:
    """Return a new key from a key and a counter; both 0 to 2**63 - 1."""
    x = add_63(key, multiply_63(number + 1, _GOLDEN))
    x ^= x >> 30
    x = multiply_63(x, _FIRST_FACTOR)
    x ^= x >> 27
    x = multiply_63(x, _SECOND_FACTOR)
    return x ^ (x >> 31)


@kernel(inline=True)
def random_below(key: int, number: int, bound: int) -> int:
    """Return draw `number` of a key as an int in 0 to `bound` - 1."""
    return ((combine(key, number) >> 31) * bound) >> 32


@kernel
def uniform(key: int, number: int) -> float:
    """Return draw `number` of a key as a float in [0, 1), a multiple of 2**-53."""
    return (combine(key, number) >> 10) * (1.0 / 9007199254740992.0)


@kernel
def shuffle_key(seed: int, deal: int, reshuffle: int) -> int:
    """Return the key that orders the stock of a deal after a number of reshuffles."""
    return combine(combine(combine(seed, STREAM_DECK), deal), reshuffle)


@kernel
def policy_uniform(seed: int, seat: int, decision: int) -> float:
    """Return the number in [0, 1) with which a seat samples a decision of a game."""
    return uniform(combine(combine(seed, STREAM_POLICY), seat), decision)


@kernel
def next_game_seed(seed: int, number: int) -> int:
    """Return the seed of the game `number` places behind the one of `seed`, where one follows another (autoreset)."""
    return combine(combine(seed, STREAM_NEXT_GAME), number)
