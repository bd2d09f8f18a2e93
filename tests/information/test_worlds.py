"""`redeal` draws uniformly from the deals that a seat must think possible, and from no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.information.enumeration import possible_hands
from tests.information.uniformity import (
    P_LIMIT,
    ImpossibleWorldError,
    chi_squared_tail,
    hands_of,
    met_in_play,
    p_value,
    possible_outcomes,
    uniformity,
)
from trente_env import Game, Rules
from trente_env.core.layout import NO_EVENT
from trente_env.core.worlds import redeal

TINY = Rules(ranks="23456", suits="cd", num_players=2, hand_size=2)
"""Ten cards; a 31 is 6-5 of a suit."""
THREE = Rules(ranks="2345A", suits="cd", num_players=3, hand_size=2)
"""Ten cards for three seats; a 31 is A-5 of a suit."""
CLASSIC = THREE.replace(blitz_after_knock=False, may_pass_on_last_turn=True, may_return_upcard=True)
EXCHANGE = Rules(play_style="exchange", ranks="2345A", suits="cdh", num_players=3, three_aces=66)
"""Fifteen cards; a 31 is A-5-4 of a suit."""
FOUR_CARD = Rules(ranks="345A", suits="cdh", num_players=2, hand_size=4)
"""Twelve cards; a 31 is all four of a suit."""


def start_of_round() -> tuple[Game, int]:
    """Nothing is known but the own hand and the upcard."""
    return Game.set_up(TINY, ["2c 3c", "4c 2d"], upcard="3d"), 0


def played(game: Game, *actions: str) -> Game:
    """Return the game after some actions."""
    for action in actions:
        game.apply(action)
    return game


def after_takes() -> tuple[Game, int]:
    """Both others hold a card that they took from the pile."""
    game = Game.set_up(THREE, ["2c 3c", "2d 3d", "4c Ad"], upcard="5d")
    return played(game, "take", "discard 2c", "take", "discard 3d"), 2


def after_a_reshuffle() -> tuple[Game, int]:
    """All cards but those of the old pile are in hands (R17); seat 0 has drawn one since."""
    game = Game.set_up(THREE, ["2c 3c", "2d 3d", "4c Ad"], upcard="5d", discard_pile="rest")
    return played(game, "draw", "discard 2c"), 1


def last_lap(rules: Rules, *actions: str) -> tuple[Game, int]:
    """Seat 0 has knocked, seat 1 has had its last turn, seat 2 looks on."""
    game = Game.set_up(rules, ["2c 3d", "Ac 3c", "2d 4d"], upcard="5c", stock="4c")
    return played(game, "knock", *actions), 2


def exchange_with_known_cards() -> tuple[Game, int]:
    """Seat 0 took a card from the table, seat 1 all three."""
    game = Game.set_up(EXCHANGE, ["3c 4d Ah", "3d 4h 5h", "4c 5c Ad"], table="5d 3h Ac")
    return played(game, "take table 5d", "leave 3c", "swap all"), 2


def exchange_in_mid_turn() -> tuple[Game, int]:
    """Seat 0 has taken a card from the table and not yet left one: it had no 31 and no three aces before (R44, R48)."""
    game = Game.set_up(EXCHANGE.replace(num_players=2), ["3c 4d Ah", "3d 4h 5h"], table="5d 3h 2h")
    return played(game, "take table 3h"), 1


def dealers_choice() -> tuple[Game, int]:
    """Nobody but the dealer has cards, and its first three are no 31: it would have kept them (R44)."""
    return Game.set_up(EXCHANGE.replace(ranks="345A"), ["3c 4d Ah", "", ""], dealer=0, to_move=0), 1


def four_cards(*actions: str) -> tuple[Game, int]:
    """Seat 0 is in mid-turn in the four-card game."""
    return played(Game.set_up(FOUR_CARD, ["3c 4c 5c 5h", "4d 5d 3h 4h"], upcard="3d"), *actions), 1


POSITIONS: dict[str, tuple[Callable[[], tuple[Game, int]], bool]] = {
    "start of round": (start_of_round, True),
    "after takes": (after_takes, True),
    "after a reshuffle": (after_a_reshuffle, True),
    "last lap, 31 shown": (lambda: last_lap(THREE, "draw", "discard 3c"), False),
    "last lap, 31 may be hidden": (lambda: last_lap(CLASSIC, "draw", "discard 3c"), False),
    "last lap, taken openly": (lambda: last_lap(CLASSIC, "take", "discard 3c"), True),
    "last lap, passed": (lambda: last_lap(CLASSIC, "pass"), False),
    "last lap, upcard put back": (lambda: last_lap(CLASSIC, "take", "discard 5c"), False),
    "exchange, known cards": (exchange_with_known_cards, False),
    "exchange, mid-turn": (exchange_in_mid_turn, False),
    "dealer's choice": (dealers_choice, False),
    "four cards, drawn": (lambda: four_cards("draw"), False),
    "four cards, taken": (lambda: four_cards("take"), False),
}
"""By name: a position with the seat that looks on, and whether the card drawn next is looked at too."""


@pytest.mark.parametrize("name", POSITIONS)
def test_worlds_are_uniform(name: str) -> None:
    """Every deal that the seat must think possible is drawn equally often, and no other deal at all."""
    make, draws = POSITIONS[name]
    game, seat = make()
    likelihood, _ = uniformity(game, seat, draws=draws, per_outcome=5)
    assert likelihood > P_LIMIT


def hidden_31s(name: str) -> int:
    """Return in how many of the possible deals of a last lap seat 1 holds a 31."""
    game, seat = POSITIONS[name][0]()
    return sum(hands[1] in ({"5c", "Ac"}, {"5d", "Ad"}) for hands in possible_hands(game.seat_view(seat), game.rules))


def test_a_31_may_be_hidden_only_where_it_was_made_in_the_last_lap() -> None:
    """R15: after a last turn that changed the hand a 31 is possible; after a pass, or with the upcard put back, not."""
    assert hidden_31s("last lap, 31 may be hidden") > 0
    assert hidden_31s("last lap, taken openly") > 0
    assert hidden_31s("last lap, passed") == 0
    assert hidden_31s("last lap, upcard put back") == 0
    assert hidden_31s("last lap, 31 shown") == 0


@pytest.mark.parametrize("name", POSITIONS)
def test_the_real_deal_is_among_the_possible_ones(name: str) -> None:
    """The enumeration knows the deal that really was."""
    game, seat = POSITIONS[name][0]()
    possible = possible_hands(game.seat_view(seat), game.rules)
    assert hands_of(game) in possible
    assert len(possible) == len(set(possible))


def test_worlds_are_uniform_in_positions_met_in_play() -> None:
    """In positions of random games with small decks the p-values are as uniform draws give them: none tiny, mean ½."""
    values = met_in_play(8, seed=3)
    assert min(values) > P_LIMIT
    assert 0.2 < sum(values) / len(values) < 0.8


# The test itself is tested: samplers that are not uniform.


def lower_of_two(game: Game, seat: int, seed: int) -> Game:
    """Draw two worlds in every other case, and return the one whose hands sort first."""
    one, two = redeal(game, seat, 2 * seed), redeal(game, seat, 2 * seed + 1)
    return min(one, two, key=lambda world: world.hands) if seed % 2 == 0 else one


def few_worlds(game: Game, seat: int, seed: int) -> Game:
    """Draw from a fixed hundred of the worlds."""
    return redeal(game, seat, seed % 100)


def really_so(game: Game, seat: int, seed: int) -> Game:
    """Leak: one world in twenty is the real one."""
    return game if seed % 20 == 0 else redeal(game, seat, seed)


@pytest.mark.parametrize("biased", [lower_of_two, few_worlds, really_so])
@pytest.mark.parametrize("name", ["start of round", "last lap, 31 may be hidden"])
def test_a_biased_sampler_is_rejected(biased: Callable[[Game, int, int], Game], name: str) -> None:
    """Worlds drawn with a slight preference, from too few, or now and then the real one are found out."""
    game, seat = POSITIONS[name][0]()
    likelihood, _ = uniformity(game, seat, sample=biased, seeds=range(1_500))
    assert likelihood < P_LIMIT


def test_a_sampler_that_draws_impossible_worlds_is_rejected() -> None:
    """Worlds that seat 0 thinks possible are not all possible to seat 2, who knows its own hand."""
    game, seat = POSITIONS["after takes"][0]()
    with pytest.raises(ImpossibleWorldError):
        uniformity(game, seat, sample=lambda game, _, seed: redeal(game, 0, seed), seeds=range(50))


def test_a_31_that_should_have_been_shown_is_an_impossible_world() -> None:
    """A sampler that forgets R15 in the last lap draws worlds that the enumeration does not have."""
    knows_no_pass, seat = POSITIONS["last lap, passed"][0]()
    array = knows_no_pass.to_array()
    array["events"] = NO_EVENT
    forgetful = Game.from_array(knows_no_pass.rules, array)
    with pytest.raises(ImpossibleWorldError):
        uniformity(knows_no_pass, seat, sample=lambda _, seat, seed: redeal(forgetful, seat, seed), seeds=range(300))


def test_the_approximation_has_the_tables_quantiles() -> None:
    """The tail of chi-squared agrees with printed quantiles: 1 % and 0.1 % at 10 and at 100 degrees of freedom."""
    for statistic, degrees, tail in (
        (23.209, 10, 0.01),
        (29.588, 10, 0.001),
        (135.807, 100, 0.01),
        (149.449, 100, 0.001),
    ):
        assert chi_squared_tail(statistic, degrees) == pytest.approx(tail, rel=0.1)
    assert p_value(Counter({"a": 50, "b": 50}), ["a", "b"]) > 0.9


def test_the_number_of_possible_deals_is_as_worked_out_by_hand() -> None:
    """Two of seven cards less the tops 6c 5c and 6d 5d: 19 hands; each with one of five cards to be drawn next."""
    game, seat = start_of_round()
    assert len(possible_hands(game.seat_view(seat), game.rules)) == 19
    assert len(possible_outcomes(game, seat, draws=True)) == 95
