"""Section G: the exchange game (R40 to R47)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import EXCHANGE, all_cards, legal_names, random_games, stand, table_rules
from trente_env import Game, preset
from trente_env.cards import card_text

HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h"]
"""21, 20 and 10."""
TABLE = "9s 9h 8c"


def position(name: str, hands: list[str] | None = None, **options: Any) -> Game:
    """Return a position of the exchange game at a table of three: seat 0 to move."""
    setting = {"table": TABLE, "dealer": 2} | options
    return Game.set_up(preset(name, num_players=3), hands or HANDS, **setting)


def dealt_order(game: Game) -> list[str]:
    """Return the cards dealt so far in this round, in the order in which they were dealt."""
    row = game.to_array()[0]
    return [card_text(int(card)) for card in row["deck"][: row["num_drawn"]]]


@pytest.mark.parametrize("name", EXCHANGE)
def test_r40_the_dealer_chooses(name: str) -> None:
    """R40: a round begins with the dealer keeping or refusing its three cards; nobody else holds any."""
    game = Game(preset(name, num_players=4), seed=1, dealer=2)
    assert (game.seat_to_move, game.phase, legal_names(game)) == (2, "DEALER_CHOICE", {"keep", "refuse"})
    assert [len(hand) for hand in game.hands] == [0, 0, 3, 0]
    assert (game.table, game.turn_number) == ((), 0)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r40_keep(name: str) -> None:
    """R40: kept, the first three are the dealer's; the next three go to the table, then three to each seat."""
    game = Game(preset(name, num_players=4), seed=1, dealer=2)
    game.apply("keep")
    order = dealt_order(game)
    assert set(game.hands[2]) == set(order[0:3])
    assert set(game.table) == set(order[3:6])
    assert [set(game.hands[seat]) for seat in (3, 0, 1)] == [set(order[start : start + 3]) for start in (6, 9, 12)]
    assert len(order) == 15


@pytest.mark.parametrize("name", EXCHANGE)
def test_r40_refuse(name: str) -> None:
    """R40: refused, the first three go to the table, and the next three, unseen until then, are the dealer's hand."""
    game = Game(preset(name, num_players=4), seed=1, dealer=2)
    first = set(game.hands[2])
    game.apply("refuse")
    order = dealt_order(game)
    assert set(game.table) == set(order[0:3]) == first
    assert set(game.hands[2]) == set(order[3:6])
    assert [set(game.hands[seat]) for seat in (3, 0, 1)] == [set(order[start : start + 3]) for start in (6, 9, 12)]


@pytest.mark.parametrize("choice", ["keep", "refuse"])
@pytest.mark.parametrize("name", EXCHANGE)
def test_r40_the_dealers_left_begins(name: str, choice: str) -> None:
    """R40: after the choice the seat at the dealer's left has the first turn."""
    game = Game(preset(name, num_players=4), seed=1, dealer=3)
    game.apply(choice)
    assert (game.seat_to_move, game.turn_number, game.phase) == (0, 1, "EXCHANGE")


@pytest.mark.parametrize("name", EXCHANGE)
def test_r40_refusing_is_no_swap_of_all(name: str) -> None:
    """R40: a dealer that refused may still swap all three on its turn."""
    game = Game(preset(name, num_players=2), seed=1, dealer=1)
    game.apply("refuse")
    stand(game)
    assert game.seat_to_move == 1
    assert "swap all" in legal_names(game)


@pytest.mark.parametrize("choice", ["keep", "refuse"])
def test_r40_set_up_at_the_choice(choice: str) -> None:
    """R40: a dealer's choice can be laid out, with the cards that come next."""
    game = Game.set_up(
        preset("exchange", num_players=3), ["", "As 9h 6c", ""], stock="Kd Kc Kh 8d 7d 6d", dealer=1, to_move=1
    )
    game.apply(choice)
    kept, other = {"As", "9h", "6c"}, {"Kd", "Kc", "Kh"}
    assert (set(game.hands[1]), set(game.table)) == ((kept, other) if choice == "keep" else (other, kept))
    assert set(game.hands[2]) == {"8d", "7d", "6d"}


@pytest.mark.parametrize("name", EXCHANGE)
def test_r41_the_choices_of_a_turn(name: str) -> None:
    """R41: on its turn a seat may pass, take a card of the table, or swap all three (and close, in Schwimmen)."""
    names = {"pass", "swap all", "take table 9s", "take table 9h", "take table 8c"}
    assert legal_names(position(name)) == names | ({"close"} if name == "schwimmen" else set())


@pytest.mark.parametrize("name", EXCHANGE)
def test_r41_swapping_one_card(name: str) -> None:
    """R41: swapping one card is two decisions: which to take, then which hand card to leave, not the one just taken."""
    game = position(name)
    game.apply("take table 9s")
    assert (game.seat_to_move, game.phase) == (0, "LEAVE")
    assert legal_names(game) == {"leave As", "leave Ks", "leave 7d"}
    assert (set(game.hands[0]), set(game.table)) == ({"As", "Ks", "7d", "9s"}, {"9h", "8c"})
    game.apply("leave 7d")
    assert (set(game.hands[0]), set(game.table)) == ({"As", "Ks", "9s"}, {"9h", "8c", "7d"})
    assert (game.seat_to_move, game.last_round, game.knocker) == (1, None, None)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r41_swapping_all(name: str) -> None:
    """R41: swapping all three changes hand and table."""
    game = position(name)
    game.apply("swap all")
    assert (set(game.hands[0]), set(game.table)) == (set(TABLE.split()), {"As", "Ks", "7d"})
    assert game.seat_to_move == 1


@pytest.mark.parametrize("name", EXCHANGE)
def test_r41_no_31_is_looked_for_between_take_and_leave(name: str) -> None:
    """R41: four cards between take and leave are no hand: the 31 among them can be broken up."""
    game = position(name, table="Qs 9h 8c")
    game.apply("take table Qs")
    assert game.last_round is None
    broken = game.clone()
    broken.apply("leave As")
    assert (broken.last_round, broken.seat_to_move) == (None, 1)
    game.apply("leave 7d")
    assert game.last_round is not None
    assert game.last_round.end == "31"


@pytest.mark.parametrize("name", EXCHANGE)
def test_r41_the_table_card_left_is_there_for_the_next(name: str) -> None:
    """R41: the card that was left can be taken by the next seat."""
    game = position(name)
    game.apply("take table 9s")
    game.apply("leave 7d")
    assert "take table 7d" in legal_names(game)
    assert "take table 9s" not in legal_names(game)


@pytest.mark.parametrize("passer", [0, 1, 2])
def test_r42_the_first_pass_opens_the_last_lap(passer: int) -> None:
    """R42: after the first pass everyone else plays once more; then the hands are shown."""
    game = position("exchange", to_move=passer)
    game.apply("pass")
    assert game.knocker == passer
    movers = []
    while game.round_number == 1:
        movers.append(game.seat_to_move)
        stand(game)
    assert movers == [(passer + 1) % 3, (passer + 2) % 3]
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", passer)
    assert game.last_round.losses == (0, 0, 1)


def test_r42_the_last_lap_may_be_played_or_passed() -> None:
    """R42: on the last turn a seat may swap as ever, or pass, which opens nothing more."""
    game = position("exchange", knocker=0, to_move=1)
    assert legal_names(game) == {"pass", "swap all", "take table 9s", "take table 9h", "take table 8c"}
    game.apply("pass")
    assert game.knocker == 0
    game.apply("take table 9s")
    game.apply("leave 7h")
    assert game.last_round is not None
    assert game.last_round.half_points == (42, 40, 20)


def test_r42_a_pass_on_the_very_first_turn() -> None:
    """R42: passing is allowed from the first turn on."""
    game = Game(preset("exchange", num_players=3), seed=1, dealer=0)
    game.apply("keep")
    game.apply("pass")
    assert game.knocker == 1


@pytest.mark.parametrize("name", EXCHANGE)
def test_r43_who_swapped_all_may_only_pass(name: str) -> None:
    """R43: a seat that has swapped all three may not swap again in this round, one card or all."""
    game = position(name)
    game.apply("swap all")
    for _ in range(2):
        game.apply("take table " + game.table[0])
        game.apply("leave " + next(name[6:] for name in sorted(legal_names(game))))
    assert game.seat_to_move == 0
    assert legal_names(game) == {"pass"} | ({"close"} if name == "schwimmen" else set())


@pytest.mark.parametrize("name", EXCHANGE)
def test_r43_the_others_are_not_locked(name: str) -> None:
    """R43: the lock is the swapper's alone."""
    game = position(name)
    game.apply("swap all")
    assert {"swap all", "take table As"} <= legal_names(game)


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize(("locked", "mover"), [([1], 0), ([2], 0), ([0, 2], 1), ([0, 1], 2)])
def test_r43_seats_on_either_side_are_not_locked(name: str, locked: list[int], mover: int) -> None:
    """R43: whoever else has swapped all three, a seat that has not may still swap."""
    assert {"swap all", "take table 9s"} <= legal_names(position(name, locked=locked, to_move=mover))


def test_r43_a_locked_seats_pass_opens_the_last_lap() -> None:
    """R43: the forced pass of a locked seat is a pass like any other: if it is the first, it opens the last lap."""
    game = position("exchange", locked=[0])
    assert legal_names(game) == {"pass"}
    game.apply("pass")
    assert (game.knocker, game.seat_to_move) == (0, 1)


def test_r43_locked_on_the_last_turn() -> None:
    """R43: a locked seat passes on its last turn too."""
    game = position("exchange", locked=[1], knocker=0, to_move=1)
    assert legal_names(game) == {"pass"}


@pytest.mark.parametrize("name", EXCHANGE)
def test_r43_the_lock_ends_with_the_round(name: str) -> None:
    """R43: in the next round everybody may swap again."""
    game = position(name, locked=[0, 1, 2], knocker=0, to_move=2)
    game.apply("pass")
    assert (game.round_number, game.phase) == (2, "DEALER_CHOICE")
    game.apply("keep")
    for _ in range(3):
        assert "swap all" in legal_names(game)
        game.apply("take table " + game.table[0])
        game.apply("leave " + next(name[6:] for name in sorted(legal_names(game))))


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize("start", ["take table Qs", "swap all"])
@pytest.mark.parametrize("knocker", [None, 2])
def test_r44_31_after_a_swap_ends_the_round_with_a_showdown(name: str, start: str, knocker: int | None) -> None:
    """R44: a 31 made by a swap, in the last lap too, ends the round at once; the lowest loses, not all others."""
    if start == "swap all":
        game = position(name, ["9s 8s 7d", *HANDS[1:]], table="As Ks Qs", knocker=knocker)
        game.apply("swap all")
    else:
        game = position(name, table="Qs 9h 8c", knocker=knocker)
        game.apply(start)
        game.apply("leave 7d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("31", None)
    assert (game.last_round.half_points, game.last_round.losses) == ((62, 40, 20), (0, 0, 1))


@pytest.mark.parametrize("name", EXCHANGE)
def test_r44_a_31_on_the_table_does_nothing(name: str) -> None:
    """R44: a 31 lying on the table, dealt there or left there, does nothing."""
    dealt = position(name, ["9c 9d 7d", *HANDS[1:]], table="As Ks Qs", turns=0)
    assert (dealt.last_round, dealt.seat_to_move) == (None, 0)
    left = position(name, ["Qs 9d 7d", *HANDS[1:]], table="As Ks 9s")
    left.apply("take table 9s")
    left.apply("leave Qs")
    assert set(left.table) == {"As", "Ks", "Qs"}
    assert (left.last_round, left.seat_to_move) == (None, 1)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r44_ties_for_lowest_below_a_31(name: str) -> None:
    """R44: at the showdown of a 31 all who are tied for lowest lose one."""
    game = position(name, ["As Ks 7d", "Kh Js 7c", "Kd Jc 7h"], table="Qs 9h 8c")
    game.apply("take table Qs")
    game.apply("leave 7d")
    assert game.last_round is not None
    assert game.last_round.losses == (0, 1, 1)


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_r44_31_at_the_deal(name: str, holder: int) -> None:
    """R44: a 31 that is dealt ends the round before the first turn, with a showdown."""
    hands = ["9c 7c 8d", "Qh Jh 7s", "Kd Jc 7h"]
    hands[holder] = "As Ks Qs"
    game = position(name, hands, turns=0)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("31 at the deal", None)
    lowest = min(game.last_round.half_points)
    assert game.last_round.losses == tuple(int(value == lowest) for value in game.last_round.half_points)
    assert sum(game.last_round.losses) == 1


@pytest.mark.parametrize("name", EXCHANGE)
def test_r44_two_31s_at_the_deal(name: str) -> None:
    """R44: with two 31s the lowest of the rest loses."""
    game = position(name, ["As Ks Qs", "Ah Jh Qh", "Kd Jc 7h"], turns=0)
    assert game.last_round is not None
    assert game.last_round.losses == (0, 0, 1)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r44_the_dealers_first_31_is_kept_without_a_decision(name: str) -> None:
    """R44: if the dealer's first three are a 31 all are dealt in, and the round ends without anyone having decided."""
    found = None
    for seed in range(4_000):
        game = position(name, knocker=0, to_move=2, seed=seed)
        game.apply("pass")
        shown = game.last_round
        assert shown is not None
        if game.rounds_ended == 2 and shown.half_points[0] == 62:  # seat 0 dealt the second round
            found = game
            break
    assert found is not None
    shown = found.last_round
    assert shown is not None
    assert (shown.number, shown.end) == (2, "31 at the deal")
    assert [len(hand) for hand in shown.hands] == [3, 3, 3]
    assert (found.phase, found.dealer, found.round_number) == ("DEALER_CHOICE", 1, 3)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r44_a_refused_hand_can_turn_into_a_31(name: str) -> None:
    """R44: hands are checked when all are dealt: a 31 among the three cards that came for the refused ones is shown."""
    game = Game.set_up(preset(name, num_players=2), ["", "7s 8h 9c"], stock="As Ks Qs 7h 8d 9d", dealer=1, to_move=1)
    game.apply("refuse")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.half_points) == ("31 at the deal", (34, 62))
    assert game.last_round.losses == (1, 0)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r45_no_penalty_for_who_opened_the_last_lap(name: str) -> None:
    """R45: the lowest loses one coin, also if it opened the last lap, and shares a tie."""
    low = position(name, knocker=2, to_move=1)
    low.apply("pass")
    assert low.lives == (3, 3, 2)
    tied = position(name, ["Kh Js 7c", *HANDS[1:]], knocker=2, to_move=1)
    tied.apply("pass")
    assert tied.lives == (2, 3, 2)


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize("lives", [[3, 3, 3], [0, 0, 0], [1, 0, 3]])
def test_r45_all_equal_is_void(name: str, lives: list[int]) -> None:
    """R45: if all hands are equal nobody loses anything, whatever lives are left."""
    game = position(name, ["Kh Js 7c", "Kc Jd Qs", "Kd Jc 7h"], knocker=0, to_move=2, lives=lives)
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.outcome, game.last_round.losses) == ("void", (0, 0, 0))
    assert "R45" in game.last_round.clause
    assert (list(game.lives), game.round_number) == (lives, 2)


def test_r46_out_after_the_fourth_loss() -> None:
    """R46: three coins and grace: the fourth loss puts a seat out."""
    lives: list[int] = [3, 3, 3]
    for loss in range(1, 5):
        game = position("exchange", knocker=0, to_move=2, lives=lives)
        game.apply("pass")
        assert (game.lives[2], game.in_game[2]) == (max(0, 3 - loss), loss < 4)
        lives = list(game.lives)


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize("lives", [3, 2, 5])
def test_r46_the_winner_ends_with_every_coin(name: str, lives: int) -> None:
    """R46: by stakes the winner gains lives x (n - 1) in all, each loser pays its lives, whatever was left of them."""
    rules = preset(name, num_players=4, starting_lives=lives)
    hands = ["As Ks 7d", "Kd Jc 7h", "Kc Jd Qs", "Kh Js 7c"]
    game = Game.set_up(rules, hands, table="9s 9h 8c", knocker=0, to_move=3, lives=[1, 0, 0, 0])
    game.apply("pass")
    assert game.winner == 0
    assert game.rewards("pot") == (3.0 * lives, -lives, -lives, -lives)


def test_r46_nothing_is_paid_on_truncation() -> None:
    """R46: a truncated game pays no stakes."""
    game = Game.set_up(preset("exchange", num_players=3, max_rounds=1), HANDS, table=TABLE, knocker=0, to_move=2)
    game.apply("pass")
    assert (game.is_truncated, game.rewards("pot"), game.rewards("game")) == (True, (0.0,) * 3, (0.0,) * 3)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r47_never_all_out_together(name: str) -> None:
    """R47: all seats on their last loss and all lowest are all equal: the round is void, and no playoff follows."""
    game = position(name, ["Kh Js 7c", "Kc Jd Qs", "Kd Jc 7h"], knocker=0, to_move=2, lives=[0, 0, 0])
    game.apply("pass")
    assert (game.in_game, game.is_playoff, game.is_over) == ((True, True, True), False, False)


@pytest.mark.parametrize("name", EXCHANGE)
@pytest.mark.parametrize("num_players", [2, 4, 9])
def test_r40_cards_are_conserved(name: str, num_players: int) -> None:
    """R40: through choices, swaps and refreshed tables every card of the deck stays where exactly one can see it."""
    rules = table_rules(name, num_players)
    deck = sorted(card_text(card) for card in rules.deck)
    for game, _ in random_games(rules, 300):
        assert all_cards(game) == deck
