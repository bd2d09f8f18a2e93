"""A view remembers what it promises, no less and no more: it corresponds to the oracle's knowledge one to one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.information.recall import SIX, TINY, RecallError, Remembers, play, projected
from tests.play import any_rules
from trente_env import Game, Rules, preset
from trente_env.cards import bits_of, parse_cards
from trente_env.core.layout import SEAT_VIEW


@pytest.mark.parametrize("name", TINY)
def test_a_view_is_what_the_public_history_and_the_own_cards_make_of_it(name: str) -> None:
    """Equal knowledge and equal views go together, and equal histories give equal views, whatever is really dealt."""
    recall = play(TINY[name], 130, num_decisions=6)
    assert recall.by_knowledge.elsewhere >= 40
    assert recall.without_events.elsewhere >= recall.by_knowledge.elsewhere
    assert recall.by_history.elsewhere >= 40


@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange", "schwimmen", "quebec_points", "buy_in"])
def test_no_two_states_of_knowledge_look_alike_in_whole_games(name: str) -> None:
    """In games with whole decks, where hardly anything is met twice, different knowledge gives different views."""
    recall = play(preset(name, num_players=3), 4)
    assert recall.views >= 200
    assert len(recall.by_knowledge.backward) == len(recall.by_knowledge.forward)


def test_the_same_holds_under_any_rules() -> None:
    """Knowledge and views correspond under rules that no preset has."""
    dice = random.Random(11)
    repeats = sum(play(any_rules(dice), 4, seed=number).by_knowledge.repeats for number in range(8))
    assert repeats > 0


# Views that remember too little or too much.

LONG = SIX.replace(starting_lives=2, may_return_upcard=True)


def forgetting(field: str) -> Remembers:
    """Return views without one of their fields."""

    def remembers(game: Game, seat: int) -> np.void:
        view = game.seat_view(seat).copy()
        view[field] = 0
        return view

    return remembers


def with_a_hidden_card(game: Game, seat: int) -> np.void:
    """Return a view that says, where nobody sits, whether the next seat holds the lowest card."""
    view = game.seat_view(seat).copy()
    view["known"][8] = bits_of(parse_cards(str(game.hands[(seat + 1) % game.rules.num_players]))) & 1
    return view


def with_the_next_card(game: Game, seat: int) -> np.void:
    """Return a view that says, where nobody sits, what the seat to move would hold if it drew."""
    view = game.seat_view(seat).copy()
    if game.is_legal("draw") and seat == game.seat_to_move:
        after = game.clone()
        after.apply("draw")
        view["known"][8] = bits_of(parse_cards(str(after.hands[seat])))
    return view


@pytest.mark.parametrize(
    ("field", "rules"),
    [
        ("events", LONG),
        ("known", SIX),
        ("held_by_others", SIX),
        ("lives", SIX),
        ("reshuffles", LONG),
        ("taken", TINY["last call"]),
    ],
)
def test_a_view_that_forgets_is_found_out(field: str, rules: Rules) -> None:
    """Without one field that cannot be worked out from the others, positions of different knowledge look alike."""
    with pytest.raises(RecallError, match="one right side"):
        play(rules, 150, num_decisions=20, remembers=forgetting(field))


@pytest.mark.parametrize("remembers", [with_a_hidden_card, with_the_next_card])
def test_a_view_that_knows_too_much_is_found_out(remembers: Remembers) -> None:
    """With a hidden card in it, equal knowledge gives different views."""
    with pytest.raises(RecallError, match="one left side"):
        play(SIX, 100, num_decisions=6, remembers=remembers)


def test_the_comparison_leaves_out_the_number_of_the_decision_alone() -> None:
    """Views that differ in `decisions` are compared as equal, views that differ in any other field are not."""
    view = Game(SIX, seed=1).seat_view(0)
    told_apart = []
    for name in SEAT_VIEW.names or ():
        other = view.copy()
        other[name] = other[name] + 1
        told_apart.append((name, projected(other) != projected(view)))
    assert [name for name, is_told in told_apart if not is_told] == ["decisions"]
