"""Every disagreement between the engine and the oracle so far, with what the rule book says about it.

`Pair` compares both after every action, so each test says twice what is right: both agree, and on this.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.differential import seat_views
from tests.differential.compare import Pair
from tests.differential.rules import Start
from trente_env import Rules, preset

LEVEL = Rules(
    ranks="TJQK", hand_size=2, num_players=2, starting_lives=1, grace=False, all_out="playoff", round_limit=1
)  # fmt: skip
"""Hands worth ten, but for a pair of one suit, which is a 31; one turn each: often all are level, without knocker."""


def played(rules: Rules, start: Start, names: Sequence[str]) -> Pair:
    """Play actions by name; for "discard" the lowest legal card by name is thrown."""
    pair = Pair(rules, start)
    for name in names:
        pair.apply(pair.legal[0] if name == "discard" else name)
    return pair


def knows(pair: Pair, name: str) -> object:
    """Return what the engine tells seat 0."""
    return seat_views.knowledge(pair.engine.seat_view(0), pair.rules.num_players)[name]


def test_no_card_is_marked_as_taken_when_the_turn_is_over() -> None:
    """R11: a turn ends with the discard; the engine went on marking the upcard as taken in this turn."""
    rules = preset("quebec", num_players=2)
    pair = played(rules, Start(seed=1, single_round=True), ["knock", "take"])
    assert knows(pair, "taken") is not None
    pair.apply(pair.legal[0])
    assert pair.engine.is_over
    assert knows(pair, "taken") is None


def test_no_card_is_marked_as_taken_when_a_seat_is_asked_to_buy_in() -> None:
    """R24: a buy-in belongs to no turn; the engine went on marking the upcard as taken in this turn."""
    rules = preset("buy_in", num_players=2, may_knock_on_first_turn=True)
    pair = played(rules, Start(seed=1, lives=[0, 0]), ["knock", "take", "discard"])
    assert pair.engine.phase == "BUY_IN"
    assert knows(pair, "taken") is None


def test_closing_ends_a_row_of_passes() -> None:
    """R48: passes count towards a new table until somebody closes; the engine went on showing those before."""
    pair = played(preset("schwimmen", num_players=3), Start(seed=1), ["keep", "pass"])
    assert knows(pair, "passes") == 1
    pair.apply("close")
    assert knows(pair, "passes") == 0
    pair.apply("pass")
    assert knows(pair, "passes") == 0


def test_passes_are_not_counted_where_they_renew_nothing() -> None:
    """R48: only where closing is separate; the oracle counted the passes of a last lap, and of R42 too."""
    pair = played(preset("exchange", num_players=3), Start(seed=1), ["keep", "pass", "pass"])
    assert knows(pair, "passes") == 0


def test_the_seat_whose_pass_renews_the_table_has_renewed_it() -> None:
    """R48: no clause names a seat; the pass has renewed the table, so the oracle no longer names the seat after it."""
    pair = played(preset("schwimmen", num_players=2), Start(seed=1), ["keep", "pass", "pass"])
    assert knows(pair, "events") == (
        ("refresh", pair.engine.dealer, None),
        ("pass", pair.engine.dealer, None),
        ("pass", 1 - pair.engine.dealer, None),
        ("keep", pair.engine.dealer, None),
    )


def test_a_single_round_has_no_winner() -> None:
    """R9, R24: a single round is an episode, no game: the oracle took the last seat that was in for the winner."""
    pair = played(preset("quebec", num_players=2), Start(seed=1, lives=[0, 0], single_round=True), ["knock", "draw"])
    pair.apply(pair.legal[0])
    assert sum(pair.engine.in_game) == 1
    assert pair.engine.winner is None
    assert pair.engine.rewards("game") == (0.0, 0.0)
    assert not pair.engine.is_truncated


def test_a_playoff_leaves_the_lives_of_its_loser_alone() -> None:
    """R23: lives untouched; the oracle took the last life of a seat that a playoff put out."""
    pair = Pair(LEVEL, Start(seed=2))
    was_playoff = False
    while pair.legal:
        was_playoff = pair.engine.is_playoff
        pair.apply(pair.legal[0])
    assert was_playoff
    assert pair.engine.winner is not None
    assert pair.engine.lives == (1, 1)


def test_the_round_that_makes_a_playoff_necessary_is_none() -> None:
    """R23: the playoff is the next deal; the engine called the round before one, where the game went no further."""
    for start, rules in ((Start(seed=2, single_round=True), LEVEL), (Start(seed=2), LEVEL.replace(max_rounds=1))):
        pair = Pair(rules, start)
        while pair.legal:
            pair.apply(pair.legal[0])
        assert pair.engine.last_round is not None
        assert pair.engine.last_round.outcome == "playoff"
        assert not pair.engine.is_playoff
        assert knows(pair, "is_playoff") is False
