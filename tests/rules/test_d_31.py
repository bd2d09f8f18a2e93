"""Section D, a 31: at the deal, after a discard, after a knock (R15)."""

from __future__ import annotations

import pytest

from tests.play import CLASSICS, FOR_LIVES, legal_names, stand
from trente_env import Game, preset

LIVES_GAMES = tuple(name for name in FOR_LIVES if name != "four_card")
NO_31 = ["Ks 6h 2d", "Jc 7h 3d", "Kh 7c 4d"]
SHOWN_31 = ["As Js Qs", "Ah Jh Qh", "Ad Jd Qd"]


@pytest.mark.parametrize(
    ("holders", "losses"),
    [
        ([0], (0, 1, 1)),
        ([1], (1, 0, 1)),
        ([2], (1, 1, 0)),
        ([0, 2], (0, 1, 0)),
        ([0, 1], (0, 0, 1)),
        ([0, 1, 2], (0, 0, 0)),
    ],
)
@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_31_at_the_deal(name: str, holders: list[int], losses: tuple[int, ...]) -> None:
    """R15: a dealt 31 ends the round; holders are safe, the others lose one each; nobody does if all hold one."""
    hands = [SHOWN_31[seat] if seat in holders else cards for seat, cards in enumerate(NO_31)]
    game = Game.set_up(preset(name, num_players=3), hands, upcard="5d", turns=0)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31 at the deal", losses)
    assert game.last_round.outcome == "charged"
    assert game.lives == tuple(3 - loss for loss in losses)


def test_r15_41_at_the_deal() -> None:
    """R15: in the four-card game it is a 41 that ends the round at the deal."""
    game = Game.set_up(preset("four_card", num_players=2), ["As Js Qs Ks", "Jc 7h 3d 2c"], upcard="5d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31 at the deal", (0, 1))


@pytest.mark.parametrize("start", ["draw", "take"])
@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_31_after_a_discard(name: str, start: str) -> None:
    """R15: a 31 made in a turn is shown after the discard, unasked; the other seats lose one life each."""
    hands = ["As Ks 2d", *NO_31[1:]]
    game = Game.set_up(preset(name, num_players=3), hands, upcard="Qs" if start == "take" else "5d", stock="Js")
    game.apply(start)
    assert game.round_number == 1
    game.apply("discard 2d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("31", None)
    assert game.last_round.half_points[0] == 62
    assert (game.last_round.losses, game.lives, game.round_number) == ((0, 1, 1), (3, 2, 2), 2)


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_the_turn_order_does_not_matter(name: str) -> None:
    """R15: seats that have not yet had a turn lose their life all the same."""
    game = Game.set_up(preset(name, num_players=3), ["As Ks 2d", *NO_31[1:]], upcard="Qs", turns=0, dealer=2)
    game.apply("take")
    game.apply("discard 2d")
    assert game.lives == (3, 2, 2)


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_a_31_may_be_broken_up(name: str) -> None:
    """R15: four cards in mid-turn are no hand yet: who throws a card of the 31 away shows nothing."""
    game = Game.set_up(preset(name, num_players=3), ["As Ks 2d", *NO_31[1:]], upcard="Qs")
    game.apply("take")
    game.apply("discard As")
    assert (game.last_round, game.seat_to_move) == (None, 1)


def test_r15_a_41_may_be_broken_up() -> None:
    """R15: five cards in mid-turn are no hand yet in the four-card game either."""
    game = Game.set_up(preset("four_card", num_players=2), ["As Ks Qs 2d", "Jc 7h 3d 2c"], upcard="Js")
    game.apply("take")
    broken = game.clone()
    broken.apply("discard Js")
    assert (broken.last_round, broken.seat_to_move) == (None, 1)
    game.apply("discard 2d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31", (0, 1))


@pytest.mark.parametrize("name", ["quebec", "kawu"])
def test_r15_31_after_a_knock_ends_the_round(name: str) -> None:
    """R15: in quebec and kawu a 31 made on a last turn is shown at once; the knocker loses one like everyone else."""
    hands = ["2s 3h 4c", "Ah Kh 2d", "Kd Qd 5c"]
    game = Game.set_up(preset(name, num_players=3), hands, upcard="Jh", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 2d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31", (1, 0, 1))


@pytest.mark.parametrize("name", CLASSICS)
def test_r15_31_after_a_knock_counts_only(name: str) -> None:
    """R15: in classic and its kin a 31 made on a last turn counts as 31 at the showdown, and the others play on."""
    hands = ["2s 3h 4c", "Ah Kh 2d", "Kd Qd 5c"]
    game = Game.set_up(preset(name, num_players=3), hands, upcard="Jh", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 2d")
    assert (game.last_round, game.seat_to_move) == (None, 2)
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("knock", (2, 0, 0))
    assert game.last_round.half_points == (8, 62, 40)


def test_r15_41_after_a_knock_counts_only() -> None:
    """R15: four_card, as a variant of classic, counts a 41 after a knock at the showdown."""
    hands = ["Kc Qc 3h 4c", "As Ks Qs 2d", "7d 6d 5c 2h"]
    game = Game.set_up(preset("four_card", num_players=3), hands, upcard="Js", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 2d")
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("knock", (0, 0, 1))
    assert game.last_round.half_points == (48, 82, 26)


@pytest.mark.parametrize("name", CLASSICS)
def test_r15_a_knocker_below_a_31_pays_the_penalty(name: str) -> None:
    """R15: where a 31 counts only, the knocker that it leaves lowest alone loses two like any failed knocker."""
    hands = ["Ad Kd 2d", "Ah Kh 2s"]
    game = Game.set_up(preset(name, num_players=2), hands, upcard="Jh", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 2s")
    assert game.last_round is not None
    assert (game.last_round.losses, game.last_round.half_points) == ((2, 0), (46, 62))


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_before_a_knock_31_ends_the_round_everywhere(name: str) -> None:
    """R15: before a knock a 31 ends the round in every drawing game for lives."""
    game = Game.set_up(preset(name, num_players=2), ["2s 3h 4c", "Ah Kh 2d"], upcard="Jh", to_move=1)
    game.apply("take")
    game.apply("discard 2d")
    assert game.last_round is not None
    assert game.last_round.end == "31"


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_only_seats_dealt_in_lose(name: str) -> None:
    """R15: a 31 costs the seats dealt into the round a life; a seat that is out is left alone."""
    game = Game.set_up(
        preset(name, num_players=4), ["As Ks 2d", "", *NO_31[1:]], upcard="Qs", lives=[1, None, 2, 3], dealer=3
    )
    game.apply("take")
    game.apply("discard 2d")
    assert game.last_round is not None
    assert (game.last_round.losses, game.lives) == ((0, 0, 1, 1), (1, 0, 1, 2))
    assert game.in_game == (True, False, True, True)


@pytest.mark.parametrize("name", ["quebec", "classic", "italian40", "no_trips"])
def test_r15_31_can_end_the_game(name: str) -> None:
    """R15: a 31 that puts out all other seats, here in grace, wins the game at once, its holder in grace or not."""
    game = Game.set_up(preset(name, num_players=3), ["As Ks 2d", *NO_31[1:]], upcard="Qs", lives=[0, 0, 0])
    game.apply("take")
    game.apply("discard 2d")
    assert game.last_round is not None
    assert (game.last_round.out, game.winner, game.is_over) == ((1, 2), 0, True)


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_one_31_costs_one_life_whoever_is_lowest(name: str) -> None:
    """R15: there is no showdown: the lowest hand loses no more than the others, and ties do not matter."""
    game = Game.set_up(preset(name, num_players=3), ["As Ks 2d", "Jc Qc Kc", "2s 3h 4c"], upcard="Qs")
    game.apply("take")
    game.apply("discard 2d")
    assert game.lives == (3, 2, 2)


@pytest.mark.parametrize("name", LIVES_GAMES)
def test_r15_30_and_a_half_ends_nothing(name: str) -> None:
    """R15: three of a kind, even three aces, are no 31 in the drawing game."""
    game = Game.set_up(preset(name, num_players=2), ["As Ah 2d", "Jc 7h 3d"], upcard="Ad")
    game.apply("take")
    game.apply("discard 2d")
    assert (game.last_round, game.seat_to_move) == (None, 1)
    assert "knock" in legal_names(game)


@pytest.mark.parametrize(
    ("name", "changes"), [("classic", {"blitz_after_knock": True}), ("quebec", {"blitz_after_knock": False})]
)
def test_r15_the_field_turns_it_both_ways(name: str, changes: dict[str, bool]) -> None:
    """R15: `blitz_after_knock` alone decides whether a 31 after a knock ends the round."""
    game = Game.set_up(
        preset(name, num_players=3, **changes), ["2s 3h 4c", "Ah Kh 2d", "Kd Qd 5c"], upcard="Jh", knocker=0, to_move=1
    )
    game.apply("take")
    game.apply("discard 2d")
    assert (game.last_round is not None) is changes["blitz_after_knock"]
    if game.last_round is None:
        stand(game)
        assert game.last_round is not None
        assert game.last_round.losses == (2, 0, 0)
