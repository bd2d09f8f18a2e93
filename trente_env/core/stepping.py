"""A game taken one deal at a time, with cards laid from outside where they are given: for records of games.

`advance` goes from a decision to the next however many rounds end in between. Here it halts after each settled round,
looking like a single round that is over; `leave_to_deal` goes on from there as far as the next deal.
"""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.core.deal import clear_round, deal_stock
from trente_env.core.engine import apply_action
from trente_env.core.layout import PHASE_BETWEEN, PHASE_DEAL
from trente_env.core.legality import legal_actions
from trente_env.core.rounds import advance, clear_step, leave_round, reset_table


@kernel
def stack(game: Any, cards: Any, count: int) -> None:
    """Put cards that lie in the stock on top of it, first first."""
    for number in range(count):
        slot = number + game.num_drawn
        for other in range(slot, game.deck_size):  # pragma: no branch - the card lies there
            if game.deck[other] == cards[number]:
                game.deck[other] = game.deck[slot]
                game.deck[slot] = cards[number]
                break
    if count > 0:
        game.num_fixed = max(0 + game.num_fixed, count + game.num_drawn)


@kernel
def open_to_deal(game: Any, rules: Any) -> None:
    """Begin the game anew, as far as its first deal; chance goes on from the deals drawn so far (R9)."""
    clear_step(game, rules)
    reset_table(game, rules)
    game.phase = PHASE_DEAL


@kernel
def deal_to_halt(game: Any, rules: Any, cards: Any, count: int) -> None:
    """Deal the round that is due, these cards first, and go on to a decision or the end of the round."""
    clear_round(game, rules)
    stack(game, cards, count)
    deal_stock(game, rules)
    is_single_round = game.is_single_round + 0
    game.is_single_round = 1
    advance(game, rules)
    game.is_single_round = is_single_round


@kernel
def apply_to_halt(game: Any, rules: Any, action: int, cards: Any, count: int) -> None:
    """Apply a legal action, these cards on top of the stock, and go on to a decision or the end of the round."""
    stack(game, cards, count)
    is_single_round = game.is_single_round + 0
    game.is_single_round = 1
    apply_action(game, rules, action)
    game.is_single_round = is_single_round


@kernel
def leave_to_deal(game: Any, rules: Any) -> bool:
    """Go on from a halt to a buy-in (R24), the end of the game, or the next deal; return whether a deal is due."""
    game.phase = PHASE_BETWEEN
    leave_round(game, rules)
    game.legal = legal_actions(game, rules)
    return game.phase == PHASE_DEAL


@kernel
def restart_at(games: Any, rules: Any, index: int) -> None:
    """Begin game `index` from its seed as far as the first deal."""
    games[index].deal = 0
    games[index].decisions = 0
    open_to_deal(games[index], rules[0])


@kernel
def reopen_at(games: Any, rules: Any, index: int) -> None:
    """Begin game `index` again as far as the first deal, after one that was over at once (R9)."""
    open_to_deal(games[index], rules[0])


@kernel
def deal_at(games: Any, rules: Any, index: int, cards: Any, count: int) -> None:
    """Deal the round that is due in game `index`."""
    deal_to_halt(games[index], rules[0], cards, count)


@kernel
def step_at(games: Any, rules: Any, index: int, action: int, cards: Any, count: int) -> None:
    """Apply a legal action to game `index`, but no deal after it."""
    apply_to_halt(games[index], rules[0], action, cards, count)


@kernel
def leave_at(games: Any, rules: Any, index: int) -> bool:
    """Go on from a halt in game `index`; return whether a deal is due."""
    return leave_to_deal(games[index], rules[0])
