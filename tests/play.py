"""Playing games in tests: legal play drawn from a seed, standing pat on a turn, what a seat observes."""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trente_env import PRESETS, Game, InvalidRulesError, Rules, preset
from trente_env.cards import NUM_CARDS, bits_of, parse_cards
from trente_env.core import calls
from trente_env.core.layout import from_array
from trente_env.encoding.encode import encode_views
from trente_env.encoding.sections import ObservationSpec, observation_spec
from trente_env.rules import PlayStyle, Scoring

NAMES = (
    "quebec",
    "classic",
    "kawu",
    "exchange",
    "quebec_points",
    "schwimmen",
    "italian40",
    "four_card",
    "no_trips",
    "buy_in",
)
"""Every preset once (scat and trentuno are classic by other names)."""
DRAWING = tuple(name for name in NAMES if PRESETS[name].play_style == PlayStyle.DRAW)
EXCHANGE = tuple(name for name in NAMES if PRESETS[name].play_style == PlayStyle.EXCHANGE)
FOR_LIVES = tuple(name for name in DRAWING if PRESETS[name].scoring == Scoring.LIVES)
"""The drawing games played for lives."""
THREE_CARD = tuple(name for name in DRAWING if PRESETS[name].hand_size == 3)
"""The drawing games with three cards."""
CLASSICS = ("classic", "italian40", "no_trips", "buy_in")
"""Classic and its variants with three cards."""
TABLES = tuple((name, num_players) for name in NAMES for num_players in (2, 4, 7, 9))
"""Every preset at two, four, seven and nine players (all of them fit)."""
ENDING = frozenset({"knock", "pass", "close"})


def table_rules(name: str, num_players: int) -> Rules:
    """Return a preset with few rounds' worth of lives or points, so that a short run sees whole games."""
    if PRESETS[name].scoring == Scoring.POINTS:
        return preset(name, num_players=num_players, target_points=4)
    return preset(name, num_players=num_players, starting_lives=2)


def any_rules(dice: random.Random) -> Rules:
    """Return rules that no preset has: any field, small decks among them, so that ties and 31s are frequent."""
    while True:
        exchange = dice.random() < 0.3
        draft = {
            "play_style": "exchange" if exchange else "draw", "num_players": dice.choice((2, 2, 3, 3, 4, 5)),
            "ranks": dice.choice(("23456789TJQKA", "789TJQKA", "TJQKA", "89TJQKA", "A2345", "A5KQJ")),
            "suits": dice.choice(("cdhs", "cdhs", "dhs")), "hand_size": 3 if exchange else dice.choice((2, 3, 3, 4)),
            "three_of_a_kind": dice.choice((61, 60, 0)), "three_aces": dice.choice((66, 0)) if exchange else 0,
            "failed_knock_penalty": dice.choice((1, 2)), "knocker_tie": dice.choice(("spared", "doubled", "shares")),
            "stock_exhaustion": dice.choice(("reshuffle", "last_call")),
            "scoring": dice.choice(("lives", "lives", "points")) if not exchange else "lives",
            "starting_lives": dice.choice((1, 1, 2, 3)), "all_out": dice.choice(("void", "playoff")),
            "target_points": dice.choice((2, 4)), "round_limit": dice.choice((4, 12, 100)),
            "separate_close": exchange and dice.random() < 0.5,
        }  # fmt: skip
        options = (
            "may_knock_on_first_turn",
            "may_pass_on_last_turn",
            "may_return_upcard",
            "blitz_after_knock",
            "grace",
        )
        draft |= {name: dice.random() < 0.5 for name in options}
        draft["buy_ins"] = dice.choice((0, 0, 1, 2)) if draft["scoring"] == "lives" else 0
        try:
            return Rules(**draft)
        except InvalidRulesError:  # a deck too small for the table (R8, R4)
            continue


def choose(game: Game, dice: random.Random, *, patience: float, skill: float = 0.0) -> int:
    """Choose a legal action.

    Args:
        game: The game.
        dice: What to draw from.
        patience: How often a knock, pass or close is put off where there is another way.
        skill: How often the card thrown away is the one that leaves the best hand.
    """
    legal = game.legal_actions()
    if legal[-1] < NUM_CARDS and dice.random() < skill:
        hand = game._ints("hands")[game._int("to_move")]
        return max(legal, key=lambda card: calls.value_of(hand & ~(1 << card), game.rules.three_of_a_kind, 0))
    others = [action for action in legal if game.action_name(action) not in ENDING]
    return dice.choice(others if others and dice.random() < patience else legal)


def random_games(rules: Rules, num_decisions: int, seed: int = 0) -> Iterator[tuple[Game, int]]:
    """Yield (game, the action about to be applied) along whole games, hasty and patient by turns; then apply it."""
    dice = random.Random(f"{rules.fingerprint} {seed}")
    decisions = 0
    number = 0
    while decisions < num_decisions:
        game = Game(rules, seed=1_000 * seed + number)
        patience, skill = ((0.0, 0.0), (0.7, 0.5), (0.97, 0.9), (0.995, 0.3))[number % 4]
        number += 1
        while not game.is_over and decisions < num_decisions:
            action = choose(game, dice, patience=patience, skill=skill)
            yield game, action
            game.apply(action)
            decisions += 1


def stand(game: Game) -> None:
    """Let the seat to move take its turn without changing its hand: pass, or throw away what it draws."""
    names = [game.action_name(action) for action in game.legal_actions()]
    if "pass" in names:
        game.apply("pass")
        return
    seat = game.seat_to_move
    assert seat is not None
    before = set(game.hands[seat])
    game.apply("draw")
    (drawn,) = set(game.hands[seat]) - before
    game.apply(f"discard {drawn}")


def legal_names(game: Game) -> set[str]:
    """Return the legal actions of the seat to move by name."""
    return {game.action_name(action) for action in game.legal_actions()}


def value(text: str, rules: Rules) -> int:
    """Return the value of a hand in half points, as the engine has it."""
    return int(calls.value_of(bits_of(parse_cards(text)), rules.three_of_a_kind, rules.three_aces))


def observe(game: Game, seat: int, seats: int | None = None) -> dict[str, NDArray[Any]]:
    """Return what a seat observes, by section name."""
    spec = observation_spec(seats or game.rules.num_players)
    row = np.full((1, spec.size), 99, np.int8)
    encode_views(from_array(game.views(seat)), spec.lower(), row)
    return {name: row[0, place] for name, place in places(spec).items()}


@functools.cache
def places(spec: ObservationSpec) -> dict[str, slice]:
    """Return where the sections of a layout lie, by name."""
    return {section.name: spec[section.name] for section in spec.sections}


def all_cards(game: Game) -> list[str]:
    """Return every card on the table, wherever it lies, sorted."""
    hands = [card for hand in game.hands for card in hand]
    return sorted([*hands, *game.stock, *game.discard_pile, *game.table])


def step_digests(rules: Rules, num_decisions: int) -> list[str]:
    """Return a short digest of everything a step shows, for each decision of random games."""
    digests = []
    for number, (game, action) in enumerate(random_games(rules, num_decisions)):
        seat = number % rules.num_players
        digest = hashlib.sha256(game.to_array().tobytes())
        digest.update(bytes([action, *game.legal_actions()]))
        digest.update(game.views(seat).tobytes())
        digest.update(np.concatenate(list(observe(game, seat).values())).tobytes())
        digest.update(repr([game.rewards(kind) for kind in ("game", "lives", "round", "pot")]).encode())
        digests.append(digest.hexdigest()[:12])
    return digests
