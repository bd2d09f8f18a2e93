"""The proof is not blind: each deliberate leak of one card, hand or seed is caught, and in its channel."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import make
from tests.information.leaks import LeakError, prove
from tests.information.shown import Table, differing, shown, table_for
from tests.play import table_rules
from trente_env import Game, GameBatch
from trente_env.cards import bits_of, parse_cards
from trente_env.core.worlds import redeal
from trente_env.envs.aec import Observation, TrenteEtUn

RULES = table_rules("quebec", 3)
VIEWS, DESCRIBE = Game.views, Game.describe


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Return an honest table."""
    return table_for(RULES, tmp_path_factory.mktemp("policies"))


def hidden_card(game: Game, seat: int) -> int:
    """Return the lowest card of the next seat, as a set."""
    hand = game.hands[(seat + 1) % game.rules.num_players]
    bits = bits_of(parse_cards(str(hand)))
    return bits & -bits


def showing_a_card(field: str) -> Callable[[Game, int], NDArray[np.void]]:
    """Return a `Game.views` whose `known` or `held_by_others` names one hidden card."""

    def views(game: Game, seat: int) -> NDArray[np.void]:
        array = VIEWS(game, seat)
        if field == "known":
            array["known"][0, (seat + 1) % game.rules.num_players] |= hidden_card(game, seat)
        else:
            array[field][0] |= hidden_card(game, seat)
        return array

    return views


@pytest.mark.parametrize("field", ["known", "held_by_others", "pile"])
def test_a_view_with_one_hidden_card_is_caught(field: str, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """One card of another hand in one field of the view: the view differs, and what is encoded from it."""
    monkeypatch.setattr(Game, "views", showing_a_card(field))
    with pytest.raises(LeakError, match=r"view"):
        prove(RULES, table, 10)


def test_what_is_made_from_such_a_view_is_caught(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that the view names reaches the observation, the text, and the policies that look at it."""
    game = Game(RULES, seed=3)
    mover = game.seat_to_move or 0
    world = redeal(game, mover, 1)
    assert differing(shown(game, mover, table), shown(world, mover, table)) == []
    monkeypatch.setattr(Game, "views", showing_a_card("known"))
    channels = differing(shown(game, mover, table), shown(world, mover, table))
    assert {"view", "observation", "observation at the largest table", "text", "policy file"} <= set(channels)
    assert "policy random" not in channels


def test_a_spectators_text_for_a_seat_is_caught(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A description for a seat that shows every hand differs from world to world, and nothing else does."""
    monkeypatch.setattr(Game, "describe", lambda game, _seat=None: DESCRIBE(game))
    with pytest.raises(LeakError, match=r"from text under"):
        prove(RULES, table, 10)


class OthersHandInInfo(TrenteEtUn):
    """An info that holds the next seat's hand."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game and tell everybody too much."""
        super().reset(seed, options)
        for seat, agent in enumerate(self.possible_agents):
            if agent in self.infos:
                self.infos[agent]["next"] = str(self.game.hands[(seat + 1) % len(self.possible_agents)])


class SeedInInfo(TrenteEtUn):
    """An info that holds the seed."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game and give its seed away."""
        super().reset(seed, options)
        for info in self.infos.values():
            info["seed"] = self.game.seed


class StockInObservation(TrenteEtUn):
    """An observation with the sum of a hidden hand's card ids in its last place."""

    def observe(self, agent: str) -> Observation:
        """Show too much."""
        observed = super().observe(agent)
        seat = self.possible_agents.index(agent)
        observed["observation"][-1] = sum(parse_cards(str(self.game.hands[seat - 1]))) % 100
        return observed


class MoversMaskForAll(TrenteEtUn):
    """The legal actions of the seat to move shown to every agent: in mid-turn they are its hand."""

    def observe(self, agent: str) -> Observation:
        """Show too much."""
        return super().observe(agent) | {"action_mask": self.game.action_mask()}


class SpectatorsRender(TrenteEtUn):
    """A picture of the table with every hand face up."""

    def render(self) -> str | None:
        """Show too much."""
        return self.game.describe()


@pytest.mark.parametrize(
    ("leaky", "channel"),
    [
        (OthersHandInInfo, "env info"),
        (SeedInInfo, "env info"),
        (StockInObservation, "env observe"),
        (MoversMaskForAll, "env observe"),
        (SpectatorsRender, "env render"),
    ],
)
def test_an_environment_that_shows_too_much_is_caught(leaky: type[TrenteEtUn], channel: str, table: Table) -> None:
    """A hand or seed in an info, an observation, a mask or a picture is caught there."""
    env = leaky(rules=RULES, num_players=None, render_mode="ansi")
    with pytest.raises(LeakError, match=channel):
        prove(RULES, dataclasses.replace(table, env=env), 10)


class OthersViews(GameBatch):
    """A batch that gives the seat to move what the next seat knows."""

    def views(self, rows_V: NDArray[np.int64]) -> tuple[NDArray[np.void], NDArray[np.int8]]:
        """Return the wrong seat's views."""
        _, masks_VA = super().views(rows_V)
        games = [self.game(row) for row in rows_V.tolist()]
        return np.concatenate([game.views(((game.seat_to_move or 0) + 1) % 3) for game in games]), masks_VA


def test_a_batch_that_gives_another_seats_view_is_caught(table: Table) -> None:
    """A batch whose views are those of the next seat differs from world to world."""
    with pytest.raises(LeakError, match=r"batch view"):
        prove(RULES, dataclasses.replace(table, batch=OthersViews(RULES, 1)), 10)


class Peeking:
    """A policy that looks at the game behind its view."""

    name = "peeking"

    def __init__(self) -> None:
        self.game: Game | None = None

    def probabilities(self, _views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.floating[Any]]:
        """Prefer an action that depends on every hand."""
        assert self.game is not None
        weights_BA = make("random").probabilities(_views_B, masks_BA)
        weights_BA[0, masks_BA[0].argmax()] += hash(self.game.hands) % 97
        return weights_BA / weights_BA.sum(axis=1, keepdims=True)


def test_a_policy_that_looks_behind_its_view_is_caught(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy whose choice depends on hidden hands chooses otherwise in another world."""
    peeking = Peeking()

    def views(game: Game, seat: int) -> NDArray[np.void]:
        peeking.game = game
        return VIEWS(game, seat)

    monkeypatch.setattr(Game, "views", views)
    with pytest.raises(LeakError, match=r"from policy peeking under"):
        prove(RULES, dataclasses.replace(table, policies=(*table.policies, peeking)), 10)
