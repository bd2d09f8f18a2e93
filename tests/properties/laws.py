"""What holds at every position and across every decision, whatever the rules: the laws that the machines check."""

from __future__ import annotations

import functools
import operator

import pytest

from tests.play import all_cards
from trente_env import Game, Rules
from trente_env.cards import NUM_CARDS, bits_of, card_text, parse_cards
from trente_env.core.actions import BUY_IN, CLOSE, DRAW, KNOCK, NUM_ACTIONS, TAKE
from trente_env.errors import GameOverError, IllegalActionError
from trente_env.rules import Scoring, StockExhaustion

MID_TURN = {"DISCARD", "LEAVE"}
AT_PLAY = {"DRAW", "DISCARD", "EXCHANGE", "LEAVE", "DEALER_CHOICE"}


# A position.


@functools.cache
def deck_of(rules: Rules) -> tuple[list[str], int]:
    """Return a deck's cards as sorted texts and as bits."""
    return sorted(card_text(card) for card in rules.deck), bits_of(rules.deck)


def check_position(game: Game, viewer: int | None = None) -> None:
    """Check all that must be true of any position, and of what each seat (or one of them) knows of it."""
    hands = game.hands
    check_cards(game)
    check_hand_sizes(game, [len(hand) for hand in hands])
    check_mover(game)
    check_last_lap(game)
    check_limits(game)
    check_result(game)
    for seat, hand in enumerate(hands):
        if viewer in {None, seat}:
            check_view(game, seat, bits_of(parse_cards(hand)))


def check_cards(game: Game) -> None:
    """Every card of the deck is in exactly one place."""
    assert all_cards(game) == deck_of(game.rules)[0]


def check_hand_sizes(game: Game, sizes: list[int]) -> None:
    """Seats in the round hold full hands, the one in mid-turn a card more; at the dealer's choice only the dealer."""
    if game.phase not in AT_PLAY:
        return
    for seat, is_in in enumerate(game.in_game):
        size = game.rules.hand_size if is_in else 0
        if game.phase == "DEALER_CHOICE" and seat != game.dealer:
            size = 0
        if game.phase in MID_TURN and seat == game.seat_to_move:
            size += 1
        assert sizes[seat] == size


def check_mover(game: Game) -> None:
    """Somebody who is in has a legal action, or the game is over and nobody has; who is out is only asked to buy in."""
    legal = game.legal_actions()
    assert game.is_over == (game.seat_to_move is None) == (game.phase == "OVER") == (legal == [])
    assert game.action_mask().tolist() == [int(action in legal) for action in range(NUM_ACTIONS)]
    if game.seat_to_move is not None:
        assert game.in_game[game.seat_to_move] == (game.phase != "BUY_IN")


def check_last_lap(game: Game) -> None:
    """R13, R14, R42: after a knock nobody else knocks; the seats from the mover up to the knocker still play."""
    knocker, seat = game.knocker, game.seat_to_move
    if knocker is None or seat is None or game.phase not in AT_PLAY:
        return
    assert not {KNOCK, CLOSE} & set(game.legal_actions())
    left = 0
    while seat != knocker:
        left += 1
        seat = seat_after(game, seat)
    assert left == int(game.seat_view(knocker)["last_turns"]) > 0


def check_limits(game: Game) -> None:
    """R50: no more turns than `round_limit` for each seat in, no more rounds than `max_rounds`; R17: a stock."""
    if game.phase in AT_PLAY:
        assert 0 <= game.turn_number <= game.rules.round_limit * sum(game.in_game)
    assert 1 <= game.round_number <= game.rules.max_rounds
    if game.phase == "DRAW" and game.rules.stock_exhaustion == StockExhaustion.RESHUFFLE:
        assert game.stock_size > 0
    assert sum(game.in_game) > 0  # R23: never everyone out


def check_result(game: Game) -> None:
    """R22, R32, R50: a winner is in the game and has won it; there is none before the end or on truncation."""
    rules, winner = game.rules, game.winner
    if not game.is_over:
        assert winner is None
        assert not game.is_truncated
        return
    if winner is None:
        return
    assert not game.is_truncated
    assert game.in_game[winner]
    if rules.scoring == Scoring.LIVES:
        assert sum(game.in_game) == 1
    else:
        assert game.points[winner] >= rules.target_points
        assert game.points.count(max(game.points)) == 1
        assert game.points[winner] == max(game.points)


def check_view(game: Game, seat: int, held: int) -> None:
    """A view names every card of the deck once, no other card, and the legal actions of the seat to move alone."""
    view = game.seat_view(seat)
    _, deck = deck_of(game.rules)
    legal = bits_of(game.legal_actions()) if seat == game.seat_to_move else 0
    assert int(view["legal"]) == legal
    known = [int(bits) for bits in view["known"].tolist()]
    others = [bits for other, bits in enumerate(known) if other != seat]
    hand, table, pile, unseen = (int(view[name]) for name in ("hand", "table", "pile", "unseen"))
    parts = [hand, table, pile, unseen, *others]
    assert sum(part.bit_count() for part in parts) == deck.bit_count()
    assert functools.reduce(operator.or_, parts) == deck
    assert hand == held
    assert known[seat] & ~hand == 0
    assert int(view["held_by_others"]) & (hand | table | pile | ~deck) == 0


# A decision.


def check_actions(game: Game) -> None:
    """What is legal can be said by id and by name; what is not always raises, after the game too; no byte changes."""
    before = game.to_bytes()
    legal = game.legal_actions()
    error = GameOverError if game.is_over else IllegalActionError
    for action in (*range(NUM_ACTIONS), -1, NUM_ACTIONS, 2**63, -(2**63) - 1):
        if action in legal:
            assert game.verify(action) == game.verify(game.action_name(action)) == action
        else:
            assert not game.is_legal(action)
            with pytest.raises(error):
                game.apply(action)
    assert game.to_bytes() == before


def check_decision(before: Game, action: int, game: Game) -> None:
    """Check all that must be true of a decision, from the position before it and the one after."""
    assert game.num_decisions == before.num_decisions + 1
    assert game.seed == before.seed
    assert game.dealer == before.dealer or game.round_number > before.round_number
    is_half_a_turn = before.phase == "DRAW" and action in {DRAW, TAKE}
    is_half_a_turn |= before.phase == "EXCHANGE" and action < NUM_CARDS
    assert (game.phase in MID_TURN) == is_half_a_turn  # R15, R41: so no 31 is looked for before the turn is over
    check_lives(before, action, game)
    check_rewards(before, game)
    if game.phase == "BUY_IN":
        check_order_of_buy_ins(before, game)
    elif game.phase in AT_PLAY:
        check_order(before, game)


def check_lives(before: Game, action: int, game: Game) -> None:
    """Lives never rise, and nobody comes in again, but by a buy-in; what is charged is taken, down to none."""
    rules, mover = game.rules, before.seat_to_move
    charged = game.rewards("lives")
    if rules.scoring == Scoring.POINTS:
        assert not any(game.lives)
        assert game.in_game == before.in_game
        assert game.points == tuple(map(operator.add, before.points, charged))
        assert min(charged) >= 0
        return
    old_lives, new_lives, were_in, are_in = before.lives, game.lives, before.in_game, game.in_game
    for seat in range(rules.num_players):
        has_bought = action == BUY_IN and seat == mover
        lives = rules.starting_lives if has_bought else old_lives[seat]
        was_in = has_bought or were_in[seat]
        assert game.buy_ins[seat] == before.buy_ins[seat] + has_bought <= rules.buy_ins
        assert was_in or not are_in[seat]
        assert charged[seat] <= 0
        assert was_in or charged[seat] == 0
        # R23: in a playoff lives are left alone.
        assert new_lives[seat] == (lives if game.is_playoff else max(0, lives + charged[seat]))
        if not are_in[seat]:
            assert new_lives[seat] == 0 or game.is_playoff
        elif not rules.grace:
            assert new_lives[seat] > 0


def check_rewards(before: Game, game: Game) -> None:
    """Rewards by round, game and pot each sum to zero; game and pot pay once there is a winner, and only then."""
    by_lives, by_round = game.rewards("lives"), game.rewards("round")
    assert sum(by_round) == pytest.approx(0, abs=1e-9)
    if game.rounds_ended == 0:
        assert not any(by_lives)
        assert not any(by_round)
    for kind in ("game", "pot"):
        rewards = game.rewards(kind)
        assert sum(rewards) == pytest.approx(0, abs=1e-9)
        if game.winner is None:
            assert not any(rewards)
            continue
        assert rewards[game.winner] > 0
        assert all(reward <= 0 for seat, reward in enumerate(rewards) if seat != game.winner)
        assert kind == "pot" or rewards[game.winner] == 1
        assert all(reward < 0 for seat, reward in enumerate(rewards) if before.in_game[seat] and seat != game.winner)


def seat_after(game: Game, seat: int) -> int:
    """Return the next seat still in, clockwise."""
    in_game = game.in_game
    follower = (seat + 1) % len(in_game)
    while not in_game[follower]:
        follower = (follower + 1) % len(in_game)
    return follower


def check_order(before: Game, game: Game) -> None:
    """R7, R11, R40: turns and deals go clockwise over the seats that are in; a turn's decisions are one seat's."""
    mover = before.seat_to_move
    assert mover is not None
    if game.round_number > before.round_number:
        if game.round_number == before.round_number + 1:
            assert game.dealer == seat_after(game, before.dealer)
        is_choice = game.phase == "DEALER_CHOICE"
        assert game.turn_number == (0 if is_choice else 1)
        assert game.seat_to_move == (game.dealer if is_choice else seat_after(game, game.dealer))
        return
    assert game.in_game == before.in_game
    assert before.knocker is None or game.knocker == before.knocker
    if game.turn_number == before.turn_number:
        assert before.phase not in MID_TURN
        assert game.phase in MID_TURN
        assert game.seat_to_move == mover
    else:
        assert game.turn_number == before.turn_number + 1
        assert game.phase not in MID_TURN
        assert game.seat_to_move == seat_after(game, before.dealer if before.phase == "DEALER_CHOICE" else mover)


def check_order_of_buy_ins(before: Game, game: Game) -> None:
    """R24: seats that went out are asked clockwise from the dealer's left."""
    if before.phase != "BUY_IN" or before.round_number != game.round_number:
        return
    places = [(seat - game.dealer - 1) % game.rules.num_players for seat in (before.seat_to_move, game.seat_to_move)]
    assert places[0] < places[1]


def check_end(game: Game, *, is_single_round: bool) -> None:
    """A game that is over was won, truncated at `max_rounds`, or was a single round; exactly one of them."""
    assert game.is_over
    rules: Rules = game.rules
    if is_single_round:
        assert game.winner is None
        assert not game.is_truncated
    else:
        assert (game.winner is None) == game.is_truncated
    assert not game.is_truncated or game.round_number == rules.max_rounds
