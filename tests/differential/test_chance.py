from __future__ import annotations

import pytest

from tests.differential.chance import SeedChance
from trente_env import Game, Rules, preset
from trente_env.cards import card_text


def stock_of(rules: Rules, seed: int, deal: int = 1) -> list[str]:
    """Return the order of a whole deck, top first."""
    return SeedChance(seed, rules.num_players).order(deal, 0, [card_text(card) for card in rules.deck])


@pytest.mark.parametrize("seed", range(20))
def test_engine_deals_this_order(seed: int) -> None:
    """R10: the first cards of the order are the hands, one by one from the dealer's left, and then the upcard."""
    rules = preset("quebec", num_players=3)
    game = Game(rules, seed)
    stock = stock_of(rules, seed, deal=game.round_number)
    seats = [(game.dealer + 1 + place) % 3 for place in range(3)]
    assert [set(game.hands[seat]) for seat in seats] == [set(stock[place:9:3]) for place in range(3)]
    assert game.discard_pile == (stock[9],)
    assert game.stock == set(stock[10:])


@pytest.mark.parametrize("seed", range(5))
def test_engine_draws_in_this_order(seed: int) -> None:
    """R11, R17: cards come off the stock in this order, and after a reshuffle in that of the pile but its top card."""
    rules = Rules(ranks="23456", num_players=2, round_limit=1_000)
    game = Game(rules, seed)
    stock, reshuffles = stock_of(rules, seed, deal=game.round_number)[7:], 0
    for _ in range(60):
        if int(game.seat_view(0)["reshuffles"]) > reshuffles:
            reshuffles += 1
            stock = SeedChance(seed, 2).order(game.round_number, reshuffles, sorted(game.stock))
        seat = game.seat_to_move
        assert seat is not None
        before = set(game.hands[seat])
        game.apply("draw")
        (drawn,) = set(game.hands[seat]) - before
        assert drawn == stock.pop(0)
        game.apply(f"discard {drawn}")
    assert reshuffles > 2


@pytest.mark.parametrize("seed", range(20))
def test_engine_lets_this_seat_deal_first(seed: int) -> None:
    """R7: the first dealer is the seat drawn, or the next one clockwise where that one is out."""
    rules = preset("quebec", num_players=5)
    game = Game(rules, seed, lives=[None, 3, 0, None, None])
    assert game.round_number == 1
    assert game.dealer == SeedChance(seed, 5).first_dealer([1, 2])


def test_seeds_bring_every_dealer_and_every_top_card() -> None:
    """R7, R10: over many seeds each seat deals first and each card comes first."""
    rules = preset("exchange", num_players=4)
    assert {SeedChance(seed, 4).first_dealer(range(4)) for seed in range(200)} == {0, 1, 2, 3}
    assert len({stock_of(rules, seed)[0] for seed in range(500)}) == 36
