"""Every game ends, however it is played (R50): within `round_limit` turns a seat and `max_rounds` rounds."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import ENDING, choose
from tests.properties.laws import check_end
from tests.properties.openings import Opening, openings
from trente_env import PRESETS, Game, preset
from trente_env._jit import JIT_ENABLED
from trente_env.rules import Scoring


def take_and_return(game: Game, dice: random.Random) -> int:
    """Exchange the upcard, or a table card, for ever."""
    names = {game.action_name(action): action for action in game.legal_actions()}
    if "take" in names:
        return names["take"]
    taken = int(game.seat_view(game.seat_to_move or 0)["taken"])
    if taken in names.values():
        return taken
    others = [action for name, action in names.items() if name not in ENDING]
    return dice.choice(others or list(names.values()))


def pass_always(game: Game, dice: random.Random) -> int:
    """Pass wherever it can be done, and never knock, close or decline."""
    names = {game.action_name(action): action for action in game.legal_actions()}
    for name in ("pass", "draw", "buy in"):
        if name in names:
            return names[name]
    others = [action for name, action in names.items() if name not in {"knock", "close"}]
    return dice.choice(others or list(names.values()))


def never_end_a_round(game: Game, dice: random.Random) -> int:
    """Play at random, but knock, pass or close only where there is nothing else."""
    return choose(game, dice, patience=1.0)


def throw_well_and_wait(game: Game, dice: random.Random) -> int:
    """Improve the hand and wait for a 31."""
    return choose(game, dice, patience=1.0, skill=1.0)


def end_rounds_at_once(game: Game, dice: random.Random) -> int:
    """Knock, pass or close wherever it can be done."""
    enders = [action for action in game.legal_actions() if game.action_name(action) in ENDING]
    return dice.choice(enders or game.legal_actions())


PLAYS: dict[str, Callable[[Game, random.Random], int]] = {
    play.__name__: play
    for play in (take_and_return, pass_always, never_end_a_round, throw_well_and_wait, end_rounds_at_once)
}


def most_decisions(game: Game) -> int:
    """Return how many decisions a game can take at most: two a turn, a dealer's choice a round, and all buy-ins."""
    rules = game.rules
    a_round = 2 * rules.round_limit * rules.num_players + 1
    return rules.max_rounds * (a_round + rules.num_players)


def play_out(game: Game, play: Callable[[Game, random.Random], int], bound: int) -> None:
    """Play a game to its end, in `bound` decisions at most."""
    dice = random.Random(game.seed)
    while not game.is_over:
        assert game.num_decisions < bound
        game.apply(play(game, dice))


@settings(max_examples=40 if JIT_ENABLED else 15)
@given(opening=openings(), name=st.sampled_from(sorted(PLAYS)))
def test_every_game_ends(opening: Opening, name: str) -> None:
    """R50: under any rules and any play, stalling too, a game has a result, or is truncated at `max_rounds`."""
    rules = opening.rules.replace(
        round_limit=min(opening.rules.round_limit, 8),
        max_rounds=min(opening.rules.max_rounds, 4),
    )
    game = Opening(rules, opening.seed, opening.dealer, opening.lives, opening.single_round).game()
    play_out(game, PLAYS[name], most_decisions(game))
    check_end(game, is_single_round=opening.single_round)


@pytest.mark.parametrize("play", sorted(PLAYS))
@pytest.mark.parametrize("name", [name for name in PRESETS if PRESETS[name].scoring == Scoring.LIVES])
def test_presets_end_with_a_winner(name: str, play: str) -> None:
    """R22, R50: under a preset's own limits two who stall for ever end with a winner: each limit costs somebody."""
    game = Game(preset(name, num_players=2, starting_lives=1), seed=5)
    play_out(game, PLAYS[play], 40 * (2 * game.rules.round_limit * 2 + 1))
    assert game.winner is not None
    check_end(game, is_single_round=False)
