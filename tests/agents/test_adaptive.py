"""adaptive: what its choices depend on, and that they are worth it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.heuristic.fit import CONTEXTS, rules_of_context
from agents.heuristic.tables import KNOCK_AT, WORTH
from agents.heuristic.worth import (
    COMPLETE,
    NUM_CONTEXTS,
    NUM_KNOCK_STAGES,
    NUM_SIGNS,
    NUM_STAGES,
    NUM_STATES,
    SETTLED,
    context_of,
    cost_of_failing,
    state_of,
)
from eval.arena import play_match
from tests.agents.choices import choose
from trente_env import Game, preset
from trente_env.cards import bits_of, parse_cards
from trente_env.core.layout import from_array

QUEBEC = preset("quebec", num_players=2)
EXCHANGE = preset("exchange", num_players=2)


def view_of(game: Game) -> Any:
    """Return what the seat to move sees, as kernels take it."""
    assert game.seat_to_move is not None
    return from_array(game.views(game.seat_to_move))[0]


def knocks(hand: str, **layout: Any) -> bool:
    """Return whether adaptive knocks with a hand."""
    rules = layout.pop("rules", QUEBEC)
    others = ["3c 4d 5h", "2c 4h 6d", "3d 5c 6h"][: rules.num_players - 1]
    game = Game.set_up(rules, hands=[hand, *layout.pop("others", others)], upcard="2h", **layout)
    return choose("adaptive", game) == "knock"


def test_knocks_lower_early_than_late() -> None:
    """Before anybody has improved 23 points are plenty; after ten turns of a patient opponent they are few."""
    assert knocks("9s 8s 6s", turns=0)
    assert not knocks("9s 8s 6s", turns=10)


def test_knocks_lower_when_a_failed_knock_costs_one_loss() -> None:
    """With one life left, or none, a failed knock costs one loss (R21), and the knock value falls."""
    values = [cost_of_failing(view_of(Game.set_up(QUEBEC, hands=["9s 8s 6s", "3c 4d 5h"], upcard="2h", lives=lives)))
              for lives in ((3, 3), (1, 3), (0, 3), (3, 0), (3, 1), (1, 0))]  # fmt: skip
    assert values == [2, 1, 1, 3, 2, 1]
    assert knocks("9s 8s 6s", turns=5, lives=(1, 3))
    assert not knocks("9s 8s 6s", turns=5, lives=(3, 3))


def test_knocks_lower_against_more_opponents() -> None:
    """With three opponents somebody else is lower more often than with one."""
    four = preset("quebec", num_players=4)
    assert knocks("7s 6s 4s", rules=four, turns=0, lives=(1, 3, 3, 3))
    assert not knocks("7s 6s 4s", turns=0, lives=(1, 3))


def test_does_not_knock_against_a_hand_known_to_be_better() -> None:
    """Where an opponent is publicly known to hold 25 points, 23 are kept and improved."""
    assert knocks("9s 8s 6s", turns=2)
    assert not knocks("9s 8s 6s", turns=2, others=["Kh Qh 5h"], known=["", "Kh Qh 5h"])


def test_prefers_promising_hands_to_points() -> None:
    """Two cards of 20 points promise more than three of 20: the upcard that only adds points is left alone."""
    game = Game.set_up(QUEBEC, hands=["Ks Qs 4d", "3c 5d 7h"], upcard="2s", turns=4)
    assert choose("greedy", game) == "take"
    assert choose("adaptive", game) == "draw"


def test_does_not_feed_the_next_seat() -> None:
    """Of cards as useless to itself, it throws the one that the next seat cannot use."""
    layout: dict[str, Any] = {"hands": ["Ks Qs 5d 6h", "Ad Kd 7c"]}
    assert choose("adaptive", Game.set_up(QUEBEC, **layout)) == "discard 5d"
    assert choose("adaptive", Game.set_up(QUEBEC, known=["", "Ad Kd"], **layout)) == "discard 6h"


def test_thinks_of_nothing_but_the_hand_on_the_very_last_turn() -> None:
    """R14: before the showdown nobody takes the discard, so the best hand alone counts."""
    game = Game.set_up(QUEBEC, hands=["Ks Qs 9s 3d", "Ad Kd 7c"], knocker=1, known=["", "Ad Kd"])
    assert choose("adaptive", game) == "discard 3d"


def test_leaves_the_exchange_table_poor() -> None:
    """A card that completes what the next seat is known to hold is not left on the table."""
    layout: dict[str, Any] = {"hands": ["Ks Qs Ad 10h", "9h 8h 7c"], "table": "7h 8c", "taken": "Qs"}
    assert choose("adaptive", Game.set_up(EXCHANGE, **layout)) == "leave 10h"
    assert choose("adaptive", Game.set_up(EXCHANGE, known=["Qs", "9h 8h"], **layout)) == "leave Ad"


def test_every_context_has_its_tables() -> None:
    """The tables have the shape that the kernels index, and each context is fitted on a game that belongs to it."""
    assert WORTH.shape == (NUM_CONTEXTS + SETTLED, NUM_STAGES, NUM_STATES)
    assert KNOCK_AT.shape == (NUM_CONTEXTS, NUM_KNOCK_STAGES, NUM_SIGNS)
    assert len(CONTEXTS) == NUM_CONTEXTS
    for context, (name, num_players, cost) in enumerate(CONTEXTS):
        game = Game(preset(name, num_players=num_players), seed=1)
        assert game.seat_to_move is not None
        row = game.views(game.seat_to_move)
        row["failed_knock_penalty"] = cost
        assert context_of(from_array(row)[0]) == context
        assert int(np.asarray(rules_of_context(context)["num_players"])[0]) == num_players


@pytest.mark.parametrize(
    ("name", "hand", "points"),
    [
        ("quebec", "As Ks Qs", 31),
        ("quebec", "Ks Qs 8s", 28),
        ("four_card", "As Ks Qs Js", 31),
        ("schwimmen", "Ah Ad Ac", 31),
    ],
)
def test_states_are_scaled_to_the_best_hand(name: str, hand: str, points: int) -> None:
    """A best hand is a best hand in every game: 31, 41, or three aces."""
    view = view_of(Game(preset(name, num_players=2), seed=1))
    assert state_of(view, bits_of(parse_cards(hand))) == COMPLETE[0] + points - COMPLETE[1]


@pytest.mark.parametrize("opponent", ["random", "greedy", "seeds", "knock@22", "knock@25", "knock@28", "knock@31"])
def test_beats_the_others_heads_up(opponent: str) -> None:
    """In quebec heads-up the whole interval of its win rate over 500 deals is above one half."""
    first = play_match("adaptive", opponent, QUEBEC, deals=500, seed=1).agents[0]
    assert first.win_rate_ci[0] > 0.5
