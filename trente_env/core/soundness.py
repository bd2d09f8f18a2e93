"""Whether a record is one that the kernels could have written: asked before they ever run on what came from outside.

Compiled kernels check no index. Whatever they take one from (a seat, a card, a place in the deck) is looked at here
first, and so is what keeps a game going: every card in one place, hands of the size that the phase asks for, seats
that can act.
"""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import count_bits, kernel
from trente_env.cards import ALL_CARDS, NUM_CARDS
from trente_env.core.deal import stock_size
from trente_env.core.layout import (
    ALL_OUT_PLAYOFF,
    END_NAMES,
    EVENT_NO_CARD,
    NO_CARD,
    NO_EVENT,
    NOBODY,
    NUM_EVENT_KINDS,
    NUM_EVENTS,
    OUT,
    OUTCOME_NAMES,
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_OVER,
    SCORING_LIVES,
    STOCK_RESHUFFLE,
    STYLE_DRAW,
)
from trente_env.core.legality import legal_actions
from trente_env.rules import MAX_PLAYERS

MAX_COUNT: Final = 2**30
"""Most decisions, deals or events that a record may count: as many again fit before the count overflows."""
MAX_SUM: Final = 2**14
"""Largest points, and sum of what one step's rounds cost or brought."""
MAX_DELTA: Final = 2
"""Most lives a round can cost a seat (R16)."""
MAX_VALUE: Final = 127
"""No hand is worth more half points."""
LAST_END: Final = len(END_NAMES) - 1
LAST_OUTCOME: Final = len(OUTCOME_NAMES) - 1

FAULTS: Final = (
    "nothing is wrong with it",
    "a number, a seat or a phase in it is out of range",
    "what it says of a seat is out of range",
    "its last round has no end, or an end no round",
    "its public events cannot be",
    "its cards do not make up its deck, each in one place",
    "it knows of cards that nobody holds",
    "its seat to move cannot be: not in the game, or not asked",
    "its hands, table and piles do not have the sizes that its phase asks for",
    "its last lap cannot be: the knocker and the turns left do not fit",
)
"""What `find_fault` can find, by its number; 0 is a sound record."""
SOUND: Final = 0
BAD_NUMBER: Final = 1
BAD_SEAT: Final = 2
BAD_LAST_ROUND: Final = 3
BAD_EVENT: Final = 4
BAD_CARDS: Final = 5
BAD_KNOWLEDGE: Final = 6
BAD_MOVER: Final = 7
BAD_SIZES: Final = 8
BAD_LAP: Final = 9


@kernel
def find_fault(game: Any, rules: Any) -> int:
    """Return the first fault of a record, a place in `FAULTS`."""
    if not (are_counts_sound(game, rules) and are_choices_sound(game, rules)):
        return BAD_NUMBER
    for seat in range(MAX_PLAYERS):
        if not (is_seat_sound(game, rules, seat) if seat < rules.num_players else is_seat_empty(game, seat)):
            return BAD_SEAT
    if (game.last_round > 0) != (game.last_end > 0):
        return BAD_LAST_ROUND
    if not are_events_sound(game, rules):
        return BAD_EVENT
    if not are_cards_sound(game, rules):
        return BAD_CARDS
    if not is_knowledge_sound(game, rules):
        return BAD_KNOWLEDGE
    if not is_mover_sound(game, rules):
        return BAD_MOVER
    if game.phase in (PHASE_BUY_IN, PHASE_OVER):
        return SOUND
    if not are_sizes_sound(game, rules):
        return BAD_SIZES
    return SOUND if is_lap_sound(game, rules) else BAD_LAP


@kernel
def is_within(value: int, low: int, high: int) -> bool:
    """Return whether a number is from `low` to `high`, both included."""
    return low <= value <= high


@kernel
def are_counts_sound(game: Any, rules: Any) -> bool:
    """Return whether seed, key, counts and sizes are in range."""
    most_turns = rules.round_limit * rules.num_players + 1
    return (
        game.seed >= 0
        and game.key >= 0
        and is_within(game.decisions, 0, MAX_COUNT)
        and is_within(game.round, 1, rules.max_rounds)
        and is_within(game.deal, game.round, MAX_COUNT)
        and is_within(game.reshuffles, 0, MAX_COUNT)
        and is_within(game.turn, 0, most_turns)
        and is_within(game.last_round, 0, game.round)
        and is_within(game.step_rounds, 0, MAX_SUM)
        and is_within(game.passes, 0, rules.num_players)
        and is_within(game.last_turns, 0, rules.num_players - 1)
        and is_within(game.deck_size, 0, rules.deck_size)
        and is_within(game.num_drawn, 0, game.deck_size)
        and is_within(game.num_fixed, 0, game.deck_size)
        and is_within(game.num_discards, 0, rules.deck_size)
    )


@kernel
def are_choices_sound(game: Any, rules: Any) -> bool:
    """Return whether seats, sets, flags and names are some that exist."""
    last_seat = rules.num_players - 1
    everyone = (1 << rules.num_players) - 1
    return (
        is_within(game.phase, 0, PHASE_OVER)
        and is_within(game.to_move, NOBODY, last_seat)
        and is_within(game.dealer, 0, last_seat)
        and is_within(game.knocker, NOBODY, last_seat)
        and is_within(game.winner, NOBODY, last_seat)
        and is_within(game.last_knocker, NOBODY, last_seat)
        and is_within(game.opening_dealer, NOBODY, last_seat)
        and is_within(game.in_game, 1 if rules.scoring == SCORING_LIVES else everyone, everyone)
        and is_within(game.locked, 0, everyone)
        and is_within(game.may_buy_in, 0, everyone)
        and game.may_buy_in & game.in_game == 0
        and is_within(game.last_in_game, 0, everyone)
        and is_within(game.last_holders, 0, everyone)
        and is_within(game.last_out, 0, everyone)
        and is_within(game.is_playoff, 0, rules.all_out == ALL_OUT_PLAYOFF)
        and is_within(game.is_truncated, 0, game.winner == NOBODY)
        and is_within(game.is_single_round, 0, 1)
        and is_within(game.last_end, 0, LAST_END)
        and is_within(game.last_outcome, 0, LAST_OUTCOME)
        and is_within(game.taken, NO_CARD, NUM_CARDS - 1)
        and is_within(game.table, 0, ALL_CARDS)
    )


@kernel
def is_seat_sound(game: Any, rules: Any, seat: int) -> bool:
    """Return whether what a record says of a seat is in range."""
    most_deltas = MAX_SUM if game.step_rounds > 0 else 0
    most_buy_ins = rules.buy_ins - ((game.may_buy_in >> seat) & 1)
    return (
        is_within(game.hands[seat], 0, ALL_CARDS)
        and is_within(game.last_hands[seat], 0, ALL_CARDS)
        and is_within(game.turns[seat], 0, game.turn)
        and is_within(game.points[seat], 0, MAX_SUM)
        and is_within(game.lives[seat], 0, rules.starting_lives)
        and is_within(game.opening_lives[seat], OUT, rules.starting_lives)
        and is_within(game.buy_ins[seat], 0, most_buy_ins)
        and is_within(game.last_values[seat], 0, MAX_VALUE)
        and is_within(game.last_deltas[seat], -MAX_DELTA, MAX_DELTA)
        and is_within(game.step_deltas[seat], -most_deltas, most_deltas)
        and abs(game.step_relative[seat]) <= 2 * most_deltas  # no, if it is no number
    )


@kernel
def is_seat_empty(game: Any, seat: int) -> bool:
    """Return whether a record says nothing of a place at which no seat stands."""
    return (
        game.hands[seat] == 0
        and game.known[seat] == 0
        and game.last_hands[seat] == 0
        and game.turns[seat] == 0
        and game.points[seat] == 0
        and game.lives[seat] == 0
        and game.opening_lives[seat] == 0
        and game.buy_ins[seat] == 0
        and game.last_values[seat] == 0
        and game.last_deltas[seat] == 0
        and game.step_deltas[seat] == 0
        and game.step_relative[seat] == 0.0
    )


@kernel
def are_events_sound(game: Any, rules: Any) -> bool:
    """Return whether each event remembered is of a kind, a seat and a card that exist, and nothing follows the last."""
    is_past = False
    for place in range(NUM_EVENTS):
        event = 0 + game.events[place]
        if event == NO_EVENT:
            is_past = True
            continue
        if is_past:
            return False
        card = event & 63
        if not is_within(event, 0, (NUM_EVENT_KINDS << 10) - 1) or (event >> 6) & 15 >= rules.num_players:
            return False
        if NUM_CARDS <= card < EVENT_NO_CARD:
            return False
    return True


@kernel
def are_cards_sound(game: Any, rules: Any) -> bool:
    """Return whether each card of the deck lies in one place: a hand, the table, the stock, the discard pile."""
    seen = 0 + game.table
    for seat in range(rules.num_players):
        if seen & game.hands[seat] != 0:
            return False
        seen |= game.hands[seat]
    for slot in range(game.num_drawn, game.deck_size):
        card = 0 + game.deck[slot]
        if not is_within(card, 0, NUM_CARDS - 1) or (seen >> card) & 1:
            return False
        seen |= 1 << card
    pile = 0
    top = NO_CARD
    for place in range(NUM_CARDS):
        card = 0 + game.discards[place]
        if place >= game.num_discards:
            if card != NO_CARD:
                return False
            continue
        if not is_within(card, 0, NUM_CARDS - 1) or ((seen | pile) >> card) & 1:
            return False
        pile |= 1 << card
        top = card
    if rules.play_style != STYLE_DRAW:
        top = NO_CARD
    return seen | pile == rules.deck_bits and pile == game.pile and top == game.upcard


@kernel
def is_knowledge_sound(game: Any, rules: Any) -> bool:
    """Return whether what the table knows of hands is in them: of each seat, and of all together (R17)."""
    held = 0
    for seat in range(rules.num_players):
        if game.known[seat] & ~game.hands[seat] != 0:
            return False
        held |= game.hands[seat]
    return game.held & ~held == 0


@kernel
def is_mover_sound(game: Any, rules: Any) -> bool:
    """Return whether the seat to move is one that its phase asks."""
    phase, mover = game.phase, game.to_move
    if phase == PHASE_OVER:
        return mover == NOBODY
    if mover == NOBODY or game.winner != NOBODY or game.is_truncated:
        return False
    if phase == PHASE_BUY_IN:
        return (game.may_buy_in >> mover) & 1 != 0
    if (phase in (PHASE_DRAW, PHASE_DISCARD)) != (rules.play_style == STYLE_DRAW):
        return False
    if phase == PHASE_DEALER_CHOICE and mover != game.dealer:
        return False
    is_asked = (game.in_game >> mover) & 1 != 0 and (game.in_game >> game.dealer) & 1 != 0
    return is_asked and count_bits(game.in_game) > 1 and game.may_buy_in == 0


@kernel
def are_sizes_sound(game: Any, rules: Any) -> bool:
    """Return whether hands, table and piles are as large as a turn's phase asks for, and the card taken is held."""
    phase, mover = game.phase, game.to_move
    is_mid_turn = phase in (PHASE_DISCARD, PHASE_LEAVE)
    for seat in range(rules.num_players):
        size = rules.hand_size if (game.in_game >> seat) & 1 else 0
        if phase == PHASE_DEALER_CHOICE and seat != mover:
            size = 0
        if seat == mover and is_mid_turn:
            size += 1
        if count_bits(game.hands[seat]) != size:
            return False
    table = 0
    if phase == PHASE_EXCHANGE:
        table = 3
    elif phase == PHASE_LEAVE:
        table = 2
    if count_bits(game.table) != table:
        return False
    if game.taken == NO_CARD:
        is_taken_sound = phase != PHASE_LEAVE
    else:
        is_taken_sound = is_mid_turn and (game.hands[mover] >> game.taken) & 1 != 0
    if phase == PHASE_DEALER_CHOICE and game.num_discards != 0:
        return False
    if phase == PHASE_DRAW and game.num_discards == 0:
        return False
    if phase == PHASE_DRAW and stock_size(game) == 0 and rules.stock_exhaustion == STOCK_RESHUFFLE:
        return False
    return is_taken_sound


@kernel
def turns_left(game: Any, rules: Any, mover: int, knocker: int) -> int:
    """R14: count the seats that still play, from the one to move clockwise to the knocker."""
    count = 0
    seat = mover
    for _ in range(rules.num_players):  # pragma: no branch - the knocker is a seat
        if seat == knocker:
            break
        count += (game.in_game >> seat) & 1
        seat = seat + 1 if seat + 1 < rules.num_players else 0
    return count


@kernel
def is_lap_sound(game: Any, rules: Any) -> bool:
    """R14: whether, after a knock, as many last turns are left as there are seats from the mover to the knocker."""
    if game.knocker == NOBODY:
        return game.last_turns == 0
    if not (game.in_game >> game.knocker) & 1 or game.phase == PHASE_DEALER_CHOICE:
        return False
    return game.last_turns == turns_left(game, rules, game.to_move, game.knocker) and game.last_turns > 0


@kernel
def first_fault(games: Any, rules: Any, which_B: Any) -> int:
    """Return, of the first game with a fault, its index times 16 plus the fault; -1 if all are sound.

    What is legal follows from the rest of a record: it is noted anew in each sound one.
    """
    for index in range(len(games)):
        fault = find_fault(games[index], rules[which_B[index]])
        if fault != SOUND:
            return index * 16 + fault
        games[index].legal = legal_actions(games[index], rules[which_B[index]])
    return -1
