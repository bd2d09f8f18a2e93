"""One game played twice, by the engine and by the oracle, and compared after every decision."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from tests.differential import seat_views
from tests.differential.chance import SeedChance
from tests.differential.rules import Start
from tests.oracle.game import OracleGame
from tests.oracle.knowledge import Knowledge
from trente_env import Game, Rules
from trente_env.core.rewards import REWARD_KINDS

Values = dict[str, object]
KNOWLEDGE: Final = tuple(field.name for field in dataclasses.fields(Knowledge))


class DisagreementError(AssertionError):
    """Engine and oracle differ. The message says where, and how to come there again."""

    def __init__(self, field: str, report: str) -> None:
        super().__init__(report)
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel from one process to another."""
        return type(self), (self.field, str(self))


class Pair:
    """The same game in the engine and in the oracle.

    Args:
        rules: The engine's rules.
        start: How the game begins.
        oracle_rules: Rules for the oracle, if it is to play by others: then they ought to disagree.

    Raises:
        DisagreementError: If they differ from the start.
    """

    def __init__(self, rules: Rules, start: Start, *, oracle_rules: Rules | None = None) -> None:
        self.rules = rules
        self.start = start
        self.actions: list[str] = []
        """What has been played, by name."""
        self.chance = SeedChance(start.seed, rules.num_players)
        begin: dict[str, Any] = {"dealer": start.dealer, "lives": start.lives, "single_round": start.single_round}
        self.engine = Game(rules, start.seed, **begin)
        try:
            self.oracle = OracleGame(oracle_rules or rules, self.chance, **begin)
        except ValueError as error:
            raise DisagreementError("beginning", self._report("beginning", "accepted", str(error))) from error
        self.num_rounds = 0
        """Rounds settled before the last decision."""
        self.legal: Sequence[str] = ()
        """What is legal now, sorted, after both have agreed on it."""
        self.knowledge: Sequence[Knowledge] = ()
        """What the oracle says each seat knows now."""
        self.compare()

    def apply(self, name: str) -> None:
        """Play an action in both and compare.

        Raises:
            DisagreementError: If they differ now.
        """
        self.num_rounds = len(self.oracle.rounds)
        self.actions.append(name)
        self.engine.apply(name)
        self.oracle.apply(name)
        self.compare()

    def compare(self) -> None:
        """Compare everything there is to see, for a spectator and for every seat.

        Raises:
            DisagreementError: If something differs.
        """
        legal = frozenset(self.oracle.legal())
        self._compare("", engine_position(self.engine), oracle_position(self.oracle, legal))
        self._compare("", engine_rounds(self.engine), oracle_rounds(self.oracle, self.num_rounds))
        if self.actions:
            self._compare("reward ", engine_rewards(self.engine), oracle_rewards(self.oracle))
        num_players = self.rules.num_players
        self.knowledge = [self.oracle.knowledge(seat) for seat in range(num_players)]
        for seat in range(num_players):
            seen = seat_views.knowledge(self.engine.seat_view(seat), num_players)
            self._compare(f"seat {seat} knows ", seen, known(self.knowledge[seat], legal, len(self.actions)))
        self.legal = sorted(legal)

    def _compare(self, what: str, engine: Values, oracle: Values) -> None:
        if engine != oracle:
            field = next(name for name in {**engine, **oracle} if engine.get(name, ...) != oracle.get(name, ...))
            raise DisagreementError(what + field, self._report(what + field, engine.get(field), oracle.get(field)))

    def _report(self, field: str, engine: object, oracle: object) -> str:
        return "\n".join(
            [
                f"Engine and oracle disagree on: {field}",
                f"  engine: {_text(engine)}",
                f"  oracle: {_text(oracle)}",
                f"after {len(self.actions)} decisions of the game that begins with",
                f"  rules {self.rules.fingerprint}: {self.rules.to_dict()}",
                f"  {self.start}",
                f"and goes on: {self.actions}",
                str(self.engine),
            ]
        )


def _text(value: object) -> str:
    """Write a value so that two of them can be held beside each other: sets sorted."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(_text, value)) + ")"
    return repr(value)


def engine_position(game: Game) -> Values:
    """Return what a referee sees of the engine's game."""
    return {
        "legal": frozenset(game.action_name(action) for action in game.legal_actions()),
        "seat_to_move": game.seat_to_move,
        "hands": tuple(frozenset(hand) for hand in game.hands),
        "discard_pile": game.discard_pile,
        "table": frozenset(game.table),
        "stock": game.stock,
        "lives": game.lives,
        "points": game.points,
        "buy_ins": game.buy_ins,
        "in_game": game.in_game,
        "dealer": game.dealer,
        "knocker": game.knocker,
        "is_playoff": game.is_playoff,
        "round_number": game.round_number,
        "turn_number": game.turn_number,
        "is_over": game.is_over,
        "is_truncated": game.is_truncated,
        "winner": game.winner,
    }


def oracle_position(game: OracleGame, legal: frozenset[str]) -> Values:
    """Return what a referee sees of the oracle's game. The order of its stock shows as the cards come."""
    return {
        "legal": legal,
        "seat_to_move": game.seat_to_move,
        "hands": tuple(map(frozenset, game.hands)),
        "discard_pile": tuple(game.discard_pile),
        "table": frozenset(game.table),
        "stock": frozenset(game.stock),
        "lives": tuple(game.lives),
        "points": tuple(game.points),
        "buy_ins": tuple(game.buy_ins),
        "in_game": tuple(game.in_game),
        "dealer": game.dealer,
        "knocker": game.knocker,
        "is_playoff": game.is_playoff,
        "round_number": game.round_number,
        "turn_number": game.turn_number,
        "is_over": game.is_over,
        "is_truncated": game.is_truncated,
        "winner": game.winner,
    }


ROUND_FIELDS: Final = ("number", "end", "outcome", "knocker", "half_points", "losses", "points", "out")


def engine_rounds(game: Game) -> Values:
    """Return how many rounds the last decision settled, and the last one."""
    return {"rounds_ended": game.rounds_ended, **_round(game.last_round)}


def oracle_rounds(game: OracleGame, num_rounds_before: int) -> Values:
    """Return the same of the oracle."""
    return {
        "rounds_ended": len(game.rounds) - num_rounds_before,
        **_round(game.rounds[-1] if game.rounds else None),
    }


def _round(settled: Any) -> Values:  # a round of either
    if settled is None:
        return {"last_round": None}
    values: Values = {f"last_round.{name}": getattr(settled, name) for name in ROUND_FIELDS}
    return values | {"last_round.hands": tuple(map(frozenset, settled.hands))}


def engine_rewards(game: Game) -> Values:
    """Return the rewards of the last decision, of every kind."""
    return {kind: _cut(game.rewards(kind)) for kind in REWARD_KINDS}


def oracle_rewards(game: OracleGame) -> Values:
    """Return the same of the oracle."""
    return {kind: _cut(game.rewards(kind)) for kind in REWARD_KINDS}


def _cut(rewards: Sequence[float]) -> tuple[float, ...]:
    """Drop the last bits: a mean depends on the order in which it is added up."""
    return tuple(round(reward, 9) for reward in rewards) if any(rewards) else tuple(rewards)


def known(knowledge: Knowledge, legal: frozenset[str], num_decisions: int) -> Values:
    """Return what the oracle says a seat knows; and what its view repeats of that in another form."""
    return {name: getattr(knowledge, name) for name in KNOWLEDGE} | {
        "pile": frozenset(knowledge.discard_pile),
        "num_discards": len(knowledge.discard_pile),
        "legal": legal if knowledge.seat == knowledge.to_move else frozenset(),
        "decisions": num_decisions,
    }
