"""Positions laid out by hand, and the check that a row of bytes is a position at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from trente_env.cards import bits_of, card_text, hand_text, parse_cards
from trente_env.core import calls
from trente_env.core.layout import (
    GAME,
    NO_CARD,
    NO_EVENT,
    NOBODY,
    OUT,
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_LEAVE,
    Rows,
    from_array,
    lower,
)
from trente_env.core.rng import MAX_SEED, shuffle_key
from trente_env.errors import InvalidCardError, InvalidPositionError, is_list, is_whole
from trente_env.rules import MAX_POINTS, AllOut, PlayStyle, Rules, Scoring

Cards = str | Iterable[str | int]
"""Cards as text ("Ks Qs 9s") or as an iterable of card texts and ids."""
MAX_DELTA: Final = 2
"""Most lives a round can cost a seat (R16)."""
REST: Final = "rest"
"""For `discard_pile`: every card not named elsewhere."""


class _Layout:
    """The parts of a position, checked one after another."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.lowered = lower([rules])
        self.row = np.zeros(1, GAME)
        self.game = self.row[0]
        self.game["events"] = NO_EVENT
        self.named: dict[int, str] = {}
        self.deck = set(rules.deck)

    def cards(self, cards: Cards, where: str) -> list[int]:
        """Read cards, each of the deck and named once in the whole position."""
        try:
            parsed = parse_cards(cards)
        except InvalidCardError as error:
            raise InvalidPositionError(f"{where}: {error}") from error
        for card in parsed:
            if card not in self.deck:
                raise InvalidPositionError(f"{where}: {card_text(card)} is not in this deck of {len(self.deck)} cards.")
            if card in self.named:
                raise InvalidPositionError(
                    f"{card_text(card)} stands twice, in {self.named[card]} and in {where}: each card exists once."
                )
            self.named[card] = where
        return parsed

    def seat(self, seat: int | None, name: str) -> int:
        """Check a seat that must be in the game."""
        if seat is None:
            return NOBODY
        if not is_whole(seat, 0, self.rules.num_players - 1):
            raise InvalidPositionError(f"{name} cannot be {seat!r}: seats run from 0 to {self.rules.num_players - 1}.")
        if not int(self.game["in_game"]) >> int(seat) & 1:
            raise InvalidPositionError(f"{name} cannot be seat {seat}: that seat is out.")
        return int(seat)

    def put_lives(self, lives: Sequence[int | None] | None, points: Sequence[int] | None) -> None:
        """Set who is in, with how many lives or points."""
        rules, game = self.rules, self.game
        opening = opening_lives(rules, lives)
        game["opening_lives"][: len(opening)] = rules.starting_lives  # a seat that is out now was in once
        game["lives"][: len(opening)] = np.maximum(opening, 0)
        game["in_game"] = sum(1 << seat for seat, left in enumerate(opening) if left != OUT)
        if points is not None:
            if rules.scoring != Scoring.POINTS:
                raise InvalidPositionError("points make no sense in a game for lives: leave them out.")
            if len(points) != rules.num_players or any(not is_whole(p, 0, MAX_POINTS) for p in points):
                raise InvalidPositionError(f"points must be {rules.num_players} whole numbers from 0, not {points!r}.")
            game["points"][: len(points)] = points
            if points.count(max(points)) == 1 and max(points) >= rules.target_points:
                raise InvalidPositionError(
                    f"points {points!r} have won the game (R32): leave a tie, or nobody at {rules.target_points}."
                )

    def put_hands(self, hands: Sequence[Cards | None], to_move: int) -> None:
        """Set the hands; the seat to move may hold one card more, in mid-turn."""
        rules, game = self.rules, self.game
        if isinstance(hands, str) or len(hands) != rules.num_players:
            raise InvalidPositionError(
                f"hands must be {rules.num_players} texts, one a seat ('' for a seat that is out)."
            )
        for seat, cards in enumerate(hands):
            held = self.cards(cards or "", f"the hand of seat {seat}")
            is_in = int(game["in_game"]) >> seat & 1
            allowed = {rules.hand_size} if is_in else {0}
            if seat == to_move:
                allowed.add(rules.hand_size + 1)
            if len(held) not in allowed:
                raise InvalidPositionError(
                    f"seat {seat} {'holds' if is_in else 'is out and cannot hold'} {len(held)} cards: "
                    f"it must hold {' or '.join(map(str, sorted(allowed)))}."
                )
            game["hands"][seat] = bits_of(held)

    def put_stock(self, stock: Cards) -> None:
        """Set the next cards of the stock; the unnamed cards follow in seed order."""
        game = self.game
        top = self.cards(stock, "the stock")
        rest = sorted(self.deck - set(self.named))
        order = top + rest
        game["deck"] = NO_CARD
        game["deck"][: len(order)] = order
        game["deck_size"], game["num_drawn"], game["num_fixed"] = len(order), 0, len(top)

    def put_pile(self, upcard: Cards, discard_pile: Cards, stock: Cards) -> None:
        """Set the discard pile: `discard_pile` bottom first, then the upcard on top."""
        top = self.cards(upcard, "the upcard")
        if len(top) > 1:
            raise InvalidPositionError(f"the upcard is one card, not {len(top)}: put the others in discard_pile.")
        if isinstance(discard_pile, str) and discard_pile.strip() == REST:
            later = set(parse_cards(stock))
            below = self.cards(sorted(self.deck - set(self.named) - later), "the discard pile")
        else:
            below = self.cards(discard_pile, "the discard pile")
        pile = below + top
        self.game["discards"] = NO_CARD
        self.game["discards"][: len(pile)] = pile
        self.game["num_discards"] = len(pile)
        self.game["pile"] = bits_of(pile)
        self.game["upcard"] = pile[-1] if pile and self.rules.play_style == PlayStyle.DRAW else NO_CARD


def opening_lives(rules: Rules, lives: Sequence[int | None] | None) -> list[int]:
    """Return lives by seat, `OUT` for a seat that is out.

    Args:
        rules: The rules.
        lives: Lives by seat: None or -1 for a seat that is out; 0 is a seat in grace, or out where there is none.

    Raises:
        InvalidPositionError: If they cannot be.
    """
    if lives is None:
        return [rules.starting_lives] * rules.num_players
    if rules.scoring == Scoring.POINTS:
        raise InvalidPositionError("lives make no sense in the points game: leave them out.")
    given = list(lives) if is_list(lives) or getattr(lives, "ndim", 0) == 1 else []
    if len(given) != rules.num_players:
        raise InvalidPositionError(f"lives must be {rules.num_players} numbers, one a seat, not {lives!r}.")
    opening = []
    for seat, left in enumerate(given):
        if left is not None and not is_whole(left, OUT, rules.starting_lives):
            raise InvalidPositionError(
                f"seat {seat} cannot have {left!r} lives: give 0 to {rules.starting_lives}, or None if it is out."
            )
        opening.append(OUT if left is None or (left == 0 and not rules.grace) else int(left))
    if sum(left != OUT for left in opening) < 2:  # noqa: PLR2004
        raise InvalidPositionError(f"lives {lives!r} leave fewer than two seats in: the game would be over.")
    return opening


def lay_out(
    rules: Rules,
    *,
    hands: Sequence[Cards | None],
    upcard: Cards,
    stock: Cards,
    discard_pile: Cards,
    table: Cards,
    dealer: int,
    to_move: int,
    knocker: int | None,
    lives: Sequence[int | None] | None,
    seed: int,
    points: Sequence[int] | None,
    turns: int | Sequence[int],
    taken: Cards,
    known: Sequence[Cards] | None,
    locked: Sequence[int],
    passes: int,
    is_playoff: bool,
    buy_ins: Sequence[int] | None,
) -> Rows:
    """Return the row of a position (see `Game.set_up`).

    Raises:
        InvalidPositionError: If it cannot arise.
    """
    layout = _Layout(rules)
    game = layout.game
    layout.put_lives(lives, points)
    dealer = layout.seat(dealer, "dealer")
    mover = layout.seat(to_move, "to_move")
    knocking = layout.seat(knocker, "knocker")
    if knocking == mover:
        raise InvalidPositionError(f"seat {mover} knocked and has no last turn (R14): let another seat be to move.")
    is_choice = _is_choice(rules, hands, table)
    if is_choice:
        _put_choice(layout, hands, dealer, mover)
    else:
        layout.put_hands(hands, mover)
    laid = layout.cards(table, "the table")
    layout.put_pile(upcard, discard_pile, stock)
    game["table"] = bits_of(laid)
    layout.put_stock(stock)
    game["seed"] = _checked_seed(seed)
    game["deal"] = game["round"] = 1
    game["key"] = shuffle_key(int(game["seed"]), 1, 0)
    game["opening_dealer"] = game["dealer"] = dealer
    game["to_move"], game["knocker"] = mover, knocking
    game["winner"] = game["last_knocker"] = NOBODY
    game["taken"] = NO_CARD
    game["locked"] = sum(1 << layout.seat(seat, "locked") for seat in locked)
    if buy_ins is not None:
        if len(buy_ins) != rules.num_players or any(not is_whole(b, 0, rules.buy_ins) for b in buy_ins):
            raise InvalidPositionError(
                f"buy_ins must be {rules.num_players} numbers from 0 to {rules.buy_ins}, not {buy_ins!r}."
            )
        game["buy_ins"][: len(buy_ins)] = buy_ins
    _check_options(layout, locked=locked, passes=passes, is_playoff=is_playoff, upcard=upcard)
    game["passes"], game["is_playoff"] = passes, is_playoff
    _put_turns(layout, 0 if is_choice else turns)  # R40: nobody has had a turn yet
    _put_known(layout, known)
    _check_piles(layout, is_choice=is_choice, num_table=len(laid))
    if knocking != NOBODY:
        game["last_turns"] = _last_turns(game, rules, mover, knocking)
        _check_no_shown_31(layout, mover, knocking)
    return _begin(layout, taken, is_choice=is_choice)


def _check_options(layout: _Layout, *, locked: Sequence[int], passes: int, is_playoff: bool, upcard: Cards) -> None:
    """Refuse what these rules have no place for."""
    rules = layout.rules
    draws = rules.play_style == PlayStyle.DRAW
    num_in = int(layout.game["in_game"]).bit_count()
    if draws and locked:
        raise InvalidPositionError("nobody is locked in the drawing game (R43): leave locked out.")
    most = num_in - 1 if rules.separate_close else 0
    if not is_whole(passes, 0, most):
        raise InvalidPositionError(
            f"passes cannot be {passes!r}: passes in a row count only where closing is separate (R48), "
            f"here from 0 to {most}."
        )
    if not isinstance(is_playoff, (bool, np.bool_)):
        raise InvalidPositionError(f"is_playoff cannot be {is_playoff!r}: give True or False.")
    if is_playoff and rules.all_out != AllOut.PLAYOFF:
        raise InvalidPositionError("these rules have no playoff (R23: all_out is 'void'): leave is_playoff out.")
    if not draws and upcard:
        raise InvalidPositionError("there is no upcard in the exchange game: name the cards on the table.")


def _checked_seed(seed: int) -> int:
    if not is_whole(seed, 0, MAX_SEED):
        raise InvalidPositionError(f"seed cannot be {seed!r}: give a whole number from 0 to 2**63 - 1.")
    return int(seed)


def _is_choice(rules: Rules, hands: Sequence[Cards | None], table: Cards) -> bool:
    """R40: one hand and no table is the dealer's choice."""
    return rules.play_style == PlayStyle.EXCHANGE and not table and sum(1 for cards in hands if cards) == 1


def _put_choice(layout: _Layout, hands: Sequence[Cards | None], dealer: int, mover: int) -> None:
    if mover != dealer or len(hands) != layout.rules.num_players or not hands[dealer]:
        raise InvalidPositionError("at the dealer's choice (R40) the dealer alone holds cards and is to move.")
    held = layout.cards(hands[dealer] or "", f"the hand of seat {dealer}")
    if len(held) != layout.rules.hand_size:
        raise InvalidPositionError(f"the dealer looks at {layout.rules.hand_size} cards (R40), not {len(held)}.")
    layout.game["hands"][dealer] = bits_of(held)


def _put_turns(layout: _Layout, turns: int | Sequence[int]) -> None:
    count = layout.rules.num_players
    each = list(turns) if isinstance(turns, Iterable) else [turns] * count
    if len(each) != count or any(not is_whole(t, 0, layout.rules.round_limit) for t in each):
        raise InvalidPositionError(
            f"turns must be a number from 0 to the round limit, or {count} of them, not {turns!r}."
        )
    in_game = int(layout.game["in_game"])
    layout.game["turns"][:count] = [t if in_game >> seat & 1 else 0 for seat, t in enumerate(each)]
    layout.game["turn"] = layout.game["turns"].sum()


def _put_known(layout: _Layout, known: Sequence[Cards] | None) -> None:
    for seat, cards in enumerate(known or ()):
        bits = bits_of(parse_cards(cards))
        if seat >= layout.rules.num_players or bits & ~int(layout.game["hands"][seat]):
            raise InvalidPositionError(f"known: seat {seat} does not hold all of {hand_text(bits)!r}.")
        layout.game["known"][seat] = bits


def _check_piles(layout: _Layout, *, is_choice: bool, num_table: int) -> None:
    """R8: what must lie where for the game to go on."""
    rules, game = layout.rules, layout.game
    if rules.play_style == PlayStyle.DRAW:
        if num_table:
            raise InvalidPositionError("there are no table cards in the drawing game: leave table out.")
        has_extra = int(game["hands"][game["to_move"]]).bit_count() > rules.hand_size
        if game["num_discards"] == 0 and not has_extra:
            raise InvalidPositionError("a turn starts with an upcard: name it.")
    elif not is_choice:
        has_extra = int(game["hands"][game["to_move"]]).bit_count() > rules.hand_size
        if num_table != 3 - has_extra:
            raise InvalidPositionError(f"three cards lie on the table (two between take and leave), not {num_table}.")


def _last_turns(game: Any, rules: Rules, mover: int, knocker: int) -> int:
    """R14: seats from the one to move, clockwise, to the knocker."""
    count, seat = 0, mover
    while seat != knocker:
        count += int(game["in_game"]) >> seat & 1
        seat = (seat + 1) % rules.num_players
    return count


def _check_no_shown_31(layout: _Layout, mover: int, knocker: int) -> None:
    """R15: a 31 after a knock was shown, but where it counts only, with a seat that has had its last turn."""
    rules, game = layout.rules, layout.game
    seat, may_hold = knocker, False
    for _ in range(rules.num_players):
        if _is_31(rules, int(game["hands"][seat])) and (seat == knocker or not may_hold or rules.blitz_after_knock):
            raise InvalidPositionError(
                f"seat {seat} holds {hand_text(int(game['hands'][seat]))!r}, which ended the round when made (R15)."
            )
        seat = (seat + 1) % rules.num_players
        may_hold = seat != mover and (may_hold or seat == (knocker + 1) % rules.num_players)


def _at_decision(layout: _Layout) -> Rows:
    """Return the position as it is laid out, what is legal noted."""
    rows = from_array(layout.row)
    calls.advance_at(rows, layout.lowered, 0)
    return rows


def _is_31(rules: Rules, hand: int) -> bool:
    full = hand.bit_count() == rules.hand_size
    return full and calls.value_of(hand, rules.three_of_a_kind, rules.three_aces) >= rules.top_half_points


def _begin(layout: _Layout, taken: Cards, *, is_choice: bool) -> Rows:
    """Put the position in its phase; a 31 before any knock is shown at once (R15, R44)."""
    rules, game = layout.rules, layout.game
    mover = int(game["to_move"])
    is_draw = rules.play_style == PlayStyle.DRAW
    if is_choice:
        if _is_31(rules, int(game["hands"][mover])):
            rows = from_array(layout.row)
            calls.deal_rest_at(rows, layout.lowered, 0)
            return rows
        game["phase"] = PHASE_DEALER_CHOICE
        return _at_decision(layout)
    hand = int(game["hands"][mover])
    shows_31 = int(game["knocker"]) == NOBODY and any(_is_31(rules, int(held)) for held in game["hands"])
    if hand.bit_count() > rules.hand_size:
        if shows_31:
            raise InvalidPositionError("another seat holds a 31, which ended the round when it was made (R15).")
        game["phase"] = PHASE_DISCARD if is_draw else PHASE_LEAVE
        game["turns"][mover] += 1
        game["turn"] += 1
        card = parse_cards(taken)
        if len(card) > 1 or bits_of(card) & ~hand or (not is_draw and not card):
            raise InvalidPositionError(
                "taken must be the one card of the mover's hand that it has just taken this turn."
            )
        if card:
            game["taken"] = card[0]
            game["known"][mover] = int(game["known"][mover]) | 1 << card[0]
        return _at_decision(layout)
    if parse_cards(taken):
        raise InvalidPositionError("taken is for mid-turn: the mover holds one card more than a full hand then.")
    rows = from_array(layout.row)
    if shows_31:
        calls.begin_at(rows, layout.lowered, 0)
    else:
        calls.turn_at(rows, layout.lowered, 0, mover)
    return rows
