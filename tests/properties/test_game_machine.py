"""One game under any rules: a state machine that plays, refuses, saves and loads in any order."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.play import choose
from tests.properties.laws import check_actions, check_decision, check_end, check_position
from tests.properties.openings import Opening, openings
from trente_env import Game
from trente_env._jit import JIT_ENABLED
from trente_env.record import Recorder, parse, replay, write

WAYS: dict[str, Callable[[Game], Game]] = {
    "bytes": lambda game: Game.from_bytes(game.to_bytes()),
    "array": lambda game: Game.from_array(game.rules, game.to_array()),
    "clone": lambda game: game.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}
"""Ways to save a game and to have it back."""


class GameMachine(RuleBasedStateMachine):
    """Play games by drawn rules. `game` is the one that was loaded last, `twin` the one it was saved from."""

    opening: Opening
    game: Game
    twin: Game
    actions: list[int]
    num_written: int

    @initialize(opening=openings())
    def begin(self, opening: Opening) -> None:
        """Begin a game."""
        self.opening, self.actions, self.num_written = opening, [], 0
        self.game, self.twin = opening.game(), opening.game()
        assert not self.game.is_over

    def take(self, action: int) -> None:
        """Take a legal action and check what it did."""
        before = self.game.clone()
        self.game.apply(action)
        self.actions.append(action)
        check_decision(before, action, self.game)
        assert before == self.twin
        self.twin.apply(action)

    @precondition(lambda self: not self.game.is_over)
    @rule(place=st.integers(0, 61))
    def decide(self, place: int) -> None:
        """A legal action never raises."""
        legal = self.game.legal_actions()
        self.take(legal[place % len(legal)])

    @precondition(lambda self: not self.game.is_over)
    @rule(
        seed=st.integers(0, 2**32), count=st.integers(1, 100), patience=st.sampled_from((0.0, 0.7, 0.97, 1.0)),
        skill=st.sampled_from((0.0, 0.9)),
    )  # fmt: skip
    def play_on(self, seed: int, count: int, patience: float, skill: float) -> None:
        """Nor do many in a row, whoever plays: hastily or never ending a round, throwing well or anyhow."""
        dice = random.Random(seed)
        for _ in range(count):
            if self.game.is_over:
                return
            self.take(choose(self.game, dice, patience=patience, skill=skill))
            check_position(self.game, viewer=self.game.num_decisions % self.game.rules.num_players)

    @rule()
    def refuse(self) -> None:
        """Everything else raises and changes nothing."""
        check_actions(self.game)

    @rule(way=st.sampled_from(sorted(WAYS)))
    def save_and_load(self, way: str) -> None:
        """A game saved and loaded is the same, and both go on alike."""
        self.twin, self.game = self.game, WAYS[way](self.game)
        assert type(self.game) is Game
        assert self.game is not self.twin

    @precondition(lambda self: self.num_written < len(self.actions) <= 60)
    @rule()
    def write_and_read(self) -> None:
        """A game written down, read and played again is the same; by its cards alone, nobody could tell."""
        self.num_written = len(self.actions)
        recorder = Recorder(self.opening.game())
        for action in self.actions:
            recorder.apply(action)
        text = write(recorder.record())
        record = parse(text)
        assert write(record) == text
        by_cards = replay(record, source="cards")
        assert by_cards.hands == self.game.hands
        for seat in range(self.game.rules.num_players):
            assert by_cards.views(seat).tobytes() == self.game.views(seat).tobytes()
        self.twin, self.game = self.game, replay(record)

    @precondition(lambda self: self.game.is_over)
    @rule(opening=openings())
    def begin_another(self, opening: Opening) -> None:
        """A game that is over has a result, and another can begin."""
        check_end(self.game, is_single_round=self.opening.single_round)
        self.replay()
        self.begin(opening)

    @invariant()
    def position_is_sound(self) -> None:
        """Every law of positions holds; the twin is in the same position, to the byte."""
        check_position(self.game)
        assert self.game == self.twin
        assert self.game.to_bytes() == self.twin.to_bytes()

    def replay(self) -> None:
        """The same seed and the same actions are the same game."""
        again = self.opening.game()
        for action in self.actions:
            again.apply(action)
        assert again.to_bytes() == self.game.to_bytes()

    def teardown(self) -> None:
        """Replay what was played."""
        if hasattr(self, "game"):
            self.replay()


TestGame = GameMachine.TestCase
TestGame.settings = settings(max_examples=50 if JIT_ENABLED else 20, stateful_step_count=20)
