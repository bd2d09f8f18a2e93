"""The oracle's games at random: cards, knowledge and ends hold everywhere; and its reading of the presets."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

import trente_env
from tests.oracle.cards import deck
from tests.oracle.chance import RandomChance
from tests.oracle.game import OracleGame
from tests.oracle.presets import DOES_NOT_APPLY, PRESETS, preset

CASES = [(name, players) for name in PRESETS for players in (2, 3, 7)] + [("exchange", 9), ("quebec", 9)]


def random_game(rules: Any, seed: int) -> OracleGame:
    """Return a game with chance from a seed."""
    return OracleGame(rules, RandomChance(seed))


def check_cards(game: OracleGame, rules: Any) -> None:
    """Every card is in one place."""
    places = [*game.stock, *game.discard_pile, *game.table, *(card for hand in game.hands for card in hand)]
    assert sorted(places) == sorted(deck(rules))


def check_knowledge(game: OracleGame, rules: Any) -> None:
    """What seats think they know is so, and is all that lies open."""
    for seat in range(rules.num_players):
        known = game.knowledge(seat)
        others = {card for other, hand in enumerate(game.hands) if other != seat for card in hand}
        assert (known.stock_size, known.discard_pile, known.table, known.hand) == (
            len(game.stock), game.discard_pile, game.table, game.hands[seat],
        )  # fmt: skip
        assert all(cards <= hand for cards, hand in zip(known.known_cards, game.hands, strict=True))
        assert known.held_by_others <= others
        assert known.held_by_others <= known.unseen | frozenset().union(*known.known_cards)
        assert known.unseen <= others | set(game.stock)
        if rules.play_style == "draw" and not game.stock:
            assert known.held_by_others == others


@pytest.mark.parametrize(("name", "players"), CASES)
def test_random_games_keep_every_card_and_end(name: str, players: int) -> None:
    """All cards are in one place at every decision, knowledge is true, and somebody wins at last."""
    for seed in range(2):
        rules = preset(name, num_players=players, target_points=3 if name == "quebec_points" else 0)
        rng = random.Random(seed)
        game = random_game(rules, seed)
        while not game.is_over:
            check_cards(game, rules)
            if rng.random() < 0.2:
                check_knowledge(game, rules)
            game.apply(rng.choice(sorted(game.legal())))
        assert game.winner is not None
        assert game.in_game[game.winner]
        assert len(game.rounds) == game.round_number
        assert sum(game.rewards("game")) == pytest.approx(0)
        assert sum(game.rewards("round")) == pytest.approx(0)
        assert sum(game.rewards("pot")) == 0


@pytest.mark.parametrize("exhaustion", ["reshuffle", "last_call"])
@pytest.mark.parametrize("hand_size", [2, 3])
def test_random_games_with_a_stock_that_runs_out(exhaustion: str, hand_size: int) -> None:
    """R17: with the smallest deck that R8 allows, knowledge stays true over many reshuffles and last calls."""
    ends, reshuffles = set(), 0
    for seed in range(12):
        rules = preset(
            "classic", num_players=3 if hand_size == 2 else 2, ranks="2KA", suits="cdh", hand_size=hand_size,
            stock_exhaustion=exhaustion, may_return_upcard=seed % 2 == 0, round_limit=8, max_rounds=30,
            all_out="void" if seed % 4 == 0 else "playoff", grace=seed % 5 > 0, starting_lives=1, buy_ins=seed % 3,
        )  # fmt: skip
        rng = random.Random(seed)
        game = random_game(rules, seed)
        while not game.is_over:
            check_cards(game, rules)
            check_knowledge(game, rules)
            names = sorted(game.legal())
            patient = [name for name in names if name not in {"knock", "pass"}]
            game.apply(rng.choice(patient if patient and rng.random() < 0.8 else names))
            reshuffles += game.knowledge(0).events[:1] == (("reshuffle", game.seat_to_move, None),)
        ends |= {settled.end for settled in game.rounds}
    assert (reshuffles > 20) is (exhaustion == "reshuffle")
    assert ("last call" in ends) is (exhaustion == "last_call")


def test_the_same_chance_and_choices_are_the_same_game() -> None:
    """Nothing is left to anything but `Chance`."""
    games = [random_game(preset("quebec"), 5) for _ in range(2)]
    rng = random.Random(1)
    while not games[0].is_over:
        name = rng.choice(sorted(games[0].legal()))
        for game in games:
            game.apply(name)
        assert games[0].knowledge(1) == games[1].knowledge(1)
    assert games[0].rounds == games[1].rounds


@pytest.mark.parametrize("name", PRESETS)
def test_the_presets_are_those_of_the_rule_book(name: str) -> None:
    """Section I, read twice: every field that applies is the same in `trente_env.preset`."""
    ours, theirs = preset(name), trente_env.preset(name)
    skipped = DOES_NOT_APPLY.get(ours.play_style, set()) | DOES_NOT_APPLY.get(ours.scoring, set())
    fields = [field.name for field in dataclasses.fields(ours)]
    assert fields == [field.name for field in dataclasses.fields(theirs)]
    for field in fields:
        if field not in skipped:
            assert getattr(ours, field) == getattr(theirs, field), field
