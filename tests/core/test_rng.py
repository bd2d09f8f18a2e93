"""The generator: reference values, ranges, and that chance is keyed as the docs say."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from tests.play import NAMES
from trente_env import Game, GameBatch, preset
from trente_env.cards import card_text
from trente_env.core.rng import (
    MAX_SEED,
    STREAM_BATCH,
    STREAM_DEALER,
    STREAM_DECK,
    STREAM_NEXT_GAME,
    STREAM_POLICY,
    STREAM_WORLD,
    combine,
    next_game_seed,
    policy_uniform,
    random_below,
    shuffle_key,
    uniform,
)

MASK = 2**63 - 1
GOLDEN = {
    (0, 0): 1517046713075839355,
    (0, 1): 7960286522194355700,
    (1, 0): 1097491722282735498,
    (12_345, 67): 8784158570032622023,
    (MAX_SEED, MAX_SEED - 1): 6776323481212575940,
    (MAX_SEED, MAX_SEED): 6514504133438201533,
}
"""Reference values of `combine`. They must never change: saved seeds would give other games."""
NUMBERS = [0, 1, 2, 51, 12_345, 2**31, 2**62 + 1, MAX_SEED - 1, MAX_SEED]


def reference(key: int, number: int) -> int:
    """Return what SplitMix64's finaliser, cut to 63 bits, gives in Python's own ints."""
    x = (key + (number + 1) * (0x9E3779B97F4A7C15 & MASK)) & MASK
    x ^= x >> 30
    x = x * (0xBF58476D1CE4E5B9 & MASK) & MASK
    x ^= x >> 27
    x = x * (0x94D049BB133111EB & MASK) & MASK
    return x ^ (x >> 31)


def test_reference_values() -> None:
    """`combine` gives the recorded values, compiled or not."""
    assert {arguments: combine(*arguments) for arguments in GOLDEN} == GOLDEN


@pytest.mark.parametrize("key", NUMBERS)
def test_combine_is_the_published_mixer(key: int) -> None:
    """`combine` is SplitMix64's finaliser cut to 63 bits, up to the ends of the range."""
    assert [combine(key, number) for number in NUMBERS] == [reference(key, number) for number in NUMBERS]


def test_golden_keys() -> None:
    """The keys built from it are the recorded ones."""
    assert shuffle_key(7, 1, 0) == 1963360213630587174
    assert shuffle_key(7, 1, 1) == 2843579847736989589
    assert next_game_seed(7, 0) == 3662018861117122725
    assert policy_uniform(7, 2, 3) == 0.3258937835964706
    assert uniform(7, 0) == 0.7801527659718491
    assert [random_below(7, number, 52) for number in range(8)] == [40, 33, 17, 39, 26, 30, 27, 51]


@pytest.mark.parametrize(
    ("name", "num_players", "seed", "dealt"),
    [
        ("quebec", 2, 0, "Qh 9s Jd 7c 2c Kh 4h"),
        ("classic", 4, 1, "10c 8d 3d 3c 7d 2d Kd Ah 6d 2c 10s Ks 6s"),
        ("exchange", 3, MAX_SEED, "10c 10h As"),
    ],
)
def test_golden_deals(name: str, num_players: int, seed: int, dealt: str) -> None:
    """The first cards dealt from a few seeds are the recorded ones: a changed shuffle would be noticed."""
    row = Game(preset(name, num_players=num_players), seed).to_array()[0]
    assert " ".join(card_text(int(card)) for card in row["deck"][: row["num_drawn"]]) == dealt


def test_random_below_covers_its_range_evenly() -> None:
    """Draws below a bound are in range, and each number comes about equally often."""
    for bound in (1, 2, 3, 7, 52):
        counts = Counter(random_below(99, number, bound) for number in range(400 * bound))
        assert set(counts) == set(range(bound))
        assert all(300 <= count <= 500 for count in counts.values()) or bound == 1


def test_uniform_is_in_the_unit_interval() -> None:
    """Draws in [0, 1) never reach 1, and their mean is a half."""
    draws = [uniform(5, number) for number in range(4_000)]
    assert 0.0 <= min(draws) < 0.01
    assert 0.99 < max(draws) < 1.0
    assert abs(sum(draws) / len(draws) - 0.5) < 0.02


def test_results_stay_in_63_bits() -> None:
    """Keys are 0 to 2**63 - 1, so that int64 and Python's ints agree."""
    assert all(0 <= combine(key, number) <= MAX_SEED for key, number in itertools.product(NUMBERS, NUMBERS))


def test_streams_are_apart() -> None:
    """Each use of a seed has a stream of its own."""
    streams = [STREAM_DECK, STREAM_DEALER, STREAM_POLICY, STREAM_WORLD, STREAM_NEXT_GAME, STREAM_BATCH]
    assert len({combine(7, stream) for stream in streams}) == len(streams)


def test_neighbouring_seeds_give_unrelated_deals() -> None:
    """The first cards of seeds 0, 1, 2, ... are spread over the deck."""
    upcards = Counter(Game(preset("quebec", num_players=2), seed).upcard for seed in range(1_040))
    assert len(upcards) == 52
    assert max(upcards.values()) <= 40
    assert sum((count - 20) ** 2 / 20 for count in upcards.values()) < 90  # chi squared, 51 degrees of freedom


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    """Rules and seed settle every card; another seed gives other cards."""
    assert Game(preset(name), 5) == Game(preset(name), 5)
    assert Game(preset(name), 5).hands != Game(preset(name), 6).hands


@pytest.mark.parametrize("name", ["quebec", "kawu", "classic", "exchange"])
def test_round_two_is_dealt_from_the_seed_however_round_one_was_played(name: str) -> None:
    """Two games with one seed get the same second deal, card by card, if the same seats are in."""
    deals = []
    for first in ((), ("draw",), ("take",)):
        game = Game(preset(name, num_players=2, may_knock_on_first_turn=True), seed=12, dealer=0)
        if name == "exchange":
            game.apply("keep" if first == () else "refuse")
        elif first:
            game.apply(first[0])
            game.apply(game.legal_actions()[0])
        while game.round_number == 1:
            names = {game.action_name(action) for action in game.legal_actions()}
            game.apply(next((each for each in ("knock", "pass") if each in names), min(names)))
        assert game.rounds_ended == 1
        row = game.to_array()[0]
        deals.append([card_text(int(card)) for card in row["deck"][: row["num_drawn"]]])
    assert deals[0] == deals[1] == deals[2]


def test_batches_of_one_seed_share_their_first_games() -> None:
    """Game k of a batch depends on the batch's seed and k alone."""
    rules = preset("quebec", num_players=2)
    small, large = GameBatch(rules, 3, seed=8), GameBatch(rules, 10, seed=8)
    assert small.seeds.tolist() == large.seeds[:3].tolist()
    assert len(set(large.seeds.tolist())) == 10
    assert GameBatch(rules, 3, seed=9).seeds.tolist() != small.seeds.tolist()
