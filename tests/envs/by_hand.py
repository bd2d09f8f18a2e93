"""Credit, slowly: one row of an `AllSeatsBatch` as a `Game`, each seat's decisions in plain lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.play import observe
from trente_env import Game, Rules
from trente_env.core.rng import next_game_seed


@dataclass
class Decision:
    """One decision, and what came of it so far."""

    seat: int
    action: int
    game_seed: int
    observation: NDArray[np.int8]
    reward: float = 0.0
    following: int | None = None
    is_done: bool = False
    is_truncated: bool = False
    last_seen: NDArray[np.int8] | None = None
    """What the seat observed when the game was stopped."""


class Row:
    """One row of a batch, its games one after the other."""

    def __init__(self, rules: Rules, seed: int, *, episode: str, reward: str, places: int) -> None:
        """Begin the first game."""
        self.rules, self.is_round, self.kind, self.places = rules, episode == "round", reward, places
        self.game = Game(rules, seed)
        self.decisions: list[Decision] = []
        self.open: dict[int, int] = {}
        self.owed = [0.0] * rules.num_players
        self.uncredited = [0.0] * rules.num_players
        self.paid = [0.0] * rules.num_players
        self.games_ended = self.deals_passed = 0

    def see(self, seat: int) -> NDArray[np.int8]:
        """Return what a seat observes now."""
        return np.concatenate(list(observe(self.game, seat, self.places).values()))

    def decide(self, action: int) -> None:
        """Take a decision and settle everything that follows from it."""
        game = self.game
        seat = game.seat_to_move
        assert seat is not None
        number = len(self.decisions)
        if seat in self.open:
            self.decisions[self.open[seat]].following = number
        self.open[seat] = number
        self.decisions.append(Decision(seat, action, game.seed, self.see(seat), self.owed[seat]))
        self.owed[seat] = 0.0
        was_in = self.seats_in()
        rounds = 0 if game.last_round is None else game.last_round.number
        game.apply(action)
        rounds = (0 if game.last_round is None else game.last_round.number) - rounds
        for each, amount in enumerate(self.first_round(rounds) if self.is_round else game.rewards(self.kind)):
            if each in was_in:
                self.pay(each, amount)
        gone = was_in - self.seats_in()
        if not game.is_over:
            for each in gone:
                self.pay(each, self.loss(each))
        for each in sorted(was_in):
            if each in gone or (rounds > 0 and self.is_round):
                self.close(each)
        if game.is_over:
            self.games_ended += 1
            for each in sorted(was_in):
                if each in self.open and game.is_truncated and not self.is_round:
                    self.decisions[self.open[each]].last_seen = self.see(each)
                self.close(each, is_truncated=game.is_truncated)
            self.game = Game(self.rules, next_game_seed(game.seed, 0))

    def seats_in(self) -> set[int]:
        """Return the seats that are in, or will be asked to buy in."""
        asked = int(self.game.to_array()["may_buy_in"][0])
        return {seat for seat, is_in in enumerate(self.game.in_game) if is_in or asked >> seat & 1}

    def first_round(self, rounds: int) -> list[float]:
        """Return the rewards of the first round that ended in this step; one after it at the deal is nobody's."""
        game = self.game
        if rounds <= 1:
            return list(game.rewards(self.kind))
        assert rounds == 2, "take another seed: a Game tells of the last round alone"
        self.deals_passed += 1
        last = game.last_round
        assert last is not None
        deltas = [points - losses for points, losses in zip(last.points, last.losses, strict=True)]
        if self.kind == "round":
            seated = [seat for seat, hand in enumerate(last.hands) if hand]
            means = {
                seat: sum(deltas[other] for other in seated if other != seat) / (len(seated) - 1) for seat in seated
            }
            deltas = [deltas[seat] - means[seat] if seat in means else 0 for seat in range(self.rules.num_players)]
        self.uncredited = [before + amount for before, amount in zip(self.uncredited, deltas, strict=True)]
        return [both - second for both, second in zip(game.rewards(self.kind), deltas, strict=True)]

    def loss(self, seat: int) -> float:
        """Return what a seat that goes out is charged by the kinds that pay at the end of the game."""
        losses = {"game": -1.0 / (self.rules.num_players - 1), "pot": -1.0 - self.game.buy_ins[seat]}
        return losses.get(self.kind, 0.0)

    def pay(self, seat: int, amount: float) -> None:
        """Credit a seat's open decision, or its first one."""
        self.paid[seat] += amount
        if seat in self.open:
            self.decisions[self.open[seat]].reward += amount
        else:
            self.owed[seat] += amount

    def close(self, seat: int, *, is_truncated: bool = False) -> None:
        """End a seat's episode."""
        if seat in self.open:
            decision = self.decisions[self.open.pop(seat)]
            decision.is_done, decision.is_truncated = True, is_truncated
        self.uncredited[seat] += self.owed[seat]
        self.owed[seat] = 0.0
