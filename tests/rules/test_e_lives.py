"""Section E: lives, grace, going out, the winner (R20 to R22)."""

from __future__ import annotations

import pytest

from tests.play import CLASSICS, EXCHANGE, FOR_LIVES, NAMES, legal_names, random_games, stand, table_rules
from trente_env import Game, preset

WITH_GRACE = ("quebec", *CLASSICS, *EXCHANGE)
LOWEST = "Kd Jc 7h"
"""Ten points in every deck."""
OTHERS = ["As Ks 7d", "Qh Jh 7s", "Qd Ad 7c"]


def show(name: str, lives: list[int | None], loser: int, *, knocker: int | None = None, **changes: object) -> Game:
    """Return a game just after a showdown that one seat loses: alone if `knocker` is the loser, else as anybody."""
    hands = ["" if left is None else hand for left, hand in zip(lives, OTHERS, strict=False)]
    hands[loser] = LOWEST
    live = [seat for seat, left in enumerate(lives) if left is not None]
    knocking = knocker if knocker is not None else next(seat for seat in live if seat != loser)
    mover = [seat for seat in live if seat < knocking][-1:] or [live[-1]]
    middle = {"table": "Jd Js Qc"} if name in EXCHANGE else {"upcard": "2d", "stock": "3d"}
    rules = preset(name, num_players=len(lives), **changes)
    game = Game.set_up(rules, hands, knocker=knocking, to_move=mover[0], lives=lives, dealer=live[0], **middle)
    stand(game)
    return game


@pytest.mark.parametrize("name", NAMES)
def test_r20_three_lives_each(name: str) -> None:
    """R20: every seat begins with three lives; in the points game there are none."""
    expected = 0 if name == "quebec_points" else 3
    game = Game(preset(name, num_players=4), seed=1)
    assert game.round_number == 1
    assert game.lives == (expected,) * 4


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r20_other_numbers_of_lives(name: str) -> None:
    """R20: the number of lives is an option."""
    assert Game(preset(name, num_players=2, starting_lives=5), seed=2).lives == (5, 5)


@pytest.mark.parametrize("name", WITH_GRACE)
def test_r21_the_last_life_leaves_a_seat_in_grace(name: str) -> None:
    """R21: with grace, a seat that loses its last life stays in, and is dealt the next round."""
    game = show(name, [3, 1, 3], loser=1)
    assert (game.lives, game.in_game) == ((3, 0, 3), (True, True, True))
    assert game.last_round is not None
    assert game.last_round.out == ()
    if name in EXCHANGE:
        game.apply("keep")
    assert len(game.hands[1]) == 3


@pytest.mark.parametrize("name", WITH_GRACE)
def test_r21_the_next_loss_puts_it_out(name: str) -> None:
    """R21: a seat in grace is out at its next loss, which is charged though its lives stay at 0."""
    game = show(name, [3, 0, 3], loser=1)
    assert (game.lives, game.in_game) == ((3, 0, 3), (True, False, True))
    assert game.last_round is not None
    assert (game.last_round.losses, game.last_round.out) == ((0, 1, 0), (1,))


@pytest.mark.parametrize("name", WITH_GRACE)
def test_r21_grace_lasts_however_many_rounds(name: str) -> None:
    """R21: rounds that a seat in grace does not lose change nothing for it."""
    game = show(name, [3, 0, 3], loser=2)
    assert (game.lives, game.in_game) == ((3, 0, 2), (True, True, True))
    again = show(name, list(game.lives), loser=2)
    assert (again.lives, again.in_game) == ((3, 0, 1), (True, True, True))
    last = show(name, list(again.lives), loser=1)
    assert (last.lives, last.in_game) == ((3, 0, 1), (True, False, True))


def test_r21_without_grace_the_last_life_is_the_last() -> None:
    """R21: in kawu a seat without a life is out."""
    game = show("kawu", [3, 1, 3], loser=1)
    assert (game.lives, game.in_game) == ((3, 0, 3), (True, False, True))


@pytest.mark.parametrize("name", ["quebec", *CLASSICS])
def test_r21_two_lives_lost_with_one_left(name: str) -> None:
    """R21: a failed knock with one life left costs two but takes lives no lower than 0: the seat is in grace."""
    game = show(name, [3, 1, 3], loser=1, knocker=1)
    assert (game.lives, game.in_game) == ((3, 0, 3), (True, True, True))
    assert game.last_round is not None
    assert game.last_round.losses == (0, 2, 0)


@pytest.mark.parametrize("name", ["quebec", "classic", "italian40", "no_trips"])
def test_r21_two_lives_lost_in_grace(name: str) -> None:
    """R21: a failed knock in grace puts the seat out, lives at 0."""
    game = show(name, [3, 0, 3], loser=1, knocker=1)
    assert (game.lives, game.in_game) == ((3, 0, 3), (True, False, True))


@pytest.mark.parametrize(("lives", "left", "is_in"), [(3, 1, True), (2, 0, False), (1, 0, False)])
def test_r21_two_lives_lost_in_kawu(lives: int, left: int, is_in: bool) -> None:
    """R21: in kawu a failed knock takes two lives, and puts out a seat that has no more."""
    game = show("kawu", [3, lives, 3], loser=1, knocker=1)
    assert (game.lives[1], game.in_game[1]) == (left, is_in)


@pytest.mark.parametrize("name", ["quebec", *CLASSICS])
def test_r21_two_lives_lost_with_two_left(name: str) -> None:
    """R21: losing two with two left leaves a seat in grace, as losing them one by one would."""
    game = show(name, [3, 2, 3], loser=1, knocker=1)
    assert (game.lives, game.in_game[1]) == ((3, 0, 3), True)


@pytest.mark.parametrize("grace", [False, True])
@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange"])
def test_r21_the_field_turns_it_both_ways(name: str, grace: bool) -> None:
    """R21: `grace` alone decides whether the last life lost puts a seat out."""
    assert show(name, [3, 1, 3], loser=1, grace=grace).in_game[1] is grace


@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange", "schwimmen", "italian40"])
def test_r22_who_is_out_is_dealt_no_cards(name: str) -> None:
    """R22: a seat that is out gets no cards in the next round and no turn in it."""
    game = show(name, [3, 1 if name == "kawu" else 0, 3], loser=1)
    movers = set()
    while game.round_number == 2 and game.turn_number < 12:
        if game.phase == "DEALER_CHOICE":
            game.apply("keep")
        movers.add(game.seat_to_move)
        stand(game)
        if game.round_number == 2:
            assert game.hands[1] == ()
    assert movers == {0, 2}


@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange", "schwimmen", "italian40", "no_trips"])
def test_r22_the_last_seat_in_wins(name: str) -> None:
    """R22: the last seat that is not out wins, and the game is over."""
    game = show(name, [2, 1 if name == "kawu" else 0, None], loser=1)
    assert (game.is_over, game.winner, game.seat_to_move, game.phase) == (True, 0, None, "OVER")
    assert (game.is_truncated, game.legal_actions()) == (False, [])


@pytest.mark.parametrize("name", ["quebec", "classic", "exchange", "schwimmen"])
def test_r22_a_seat_in_grace_can_win(name: str) -> None:
    """R22: a seat in grace is not out: it wins when it is the last."""
    game = show(name, [0, 0, None], loser=1)
    assert (game.winner, game.lives[0]) == (0, 0)


@pytest.mark.parametrize("name", ["kawu", "quebec"])
def test_r22_the_game_goes_on_whoever_is_out(name: str) -> None:
    """R22: no seat is special: with the first seat out the others play on to the last."""
    game = show(name, [1 if name == "kawu" else 0, 3, 3], loser=0)
    assert (game.is_over, game.in_game) == (False, (False, True, True))


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r22_whole_games_end_with_one_seat_in(name: str) -> None:
    """R22: played to the end, a game leaves one seat in, and that seat is its winner."""
    finished = 0
    for game, action in random_games(table_rules(name, 4), 1_500):
        assert sum(game.in_game) >= 2 or "buy in" in legal_names(game)
        after = game.clone()
        after.apply(action)
        if after.is_over:
            finished += 1
            assert after.winner is not None
            assert [seat for seat, is_in in enumerate(after.in_game) if is_in] == [after.winner]
    assert finished >= 2
