"""What a seat of the oracle knows: derived from what it has seen, by hand-made histories."""

from __future__ import annotations

from tests.oracle.cards import deck
from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import StackedChance, drawing_deal, play, stacked_game, three_player_game

TINY = preset("quebec", num_players=3, ranks="KA", hand_size=2)
TINY_DEAL = drawing_deal(["Kc Ad", "Kd Ah", "Kh As"], "Ks", "Ac")
"""Eight cards: hands of two, the upcard, one card of stock; seat 1 begins."""


def test_a_card_taken_openly_is_known_until_it_is_given_away() -> None:
    """Seat 1 takes the upcard before all eyes, keeps it a while, and discards it."""
    game = play(three_player_game(stock="2c 3c 5c"), "take")
    assert game.knowledge(0).known_cards == (frozenset(), {"4d"}, frozenset())
    assert game.knowledge(1).known_cards[1] == {"4d"}  # what the others know of it
    assert game.knowledge(0).held_by_others == {"4d"}
    assert game.knowledge(1).held_by_others == frozenset()
    assert game.knowledge(2).taken == "4d"
    assert game.knowledge(2).upcard is None
    play(game, "discard 8h", "draw", "discard 2c", "draw", "discard 3c", "draw", "discard 4d")
    assert game.knowledge(0).known_cards == (frozenset(),) * 3
    assert game.knowledge(0).discard_pile == ("8h", "2c", "3c", "4d")


def test_a_card_drawn_is_seen_by_its_drawer_alone() -> None:
    """The others cannot place it; the drawer has it in hand."""
    game = play(three_player_game(stock="2c"), "draw")
    assert "2c" in game.knowledge(1).hand
    assert "2c" in game.knowledge(0).unseen
    assert game.knowledge(0).taken is None
    assert game.knowledge(0).stock_size == 41


def test_unseen_is_what_cannot_be_placed() -> None:
    """The deck but the own hand, the pile, and what others are known to hold."""
    game = play(three_player_game(), "take", "discard 8h")
    known = game.knowledge(0)
    assert known.unseen == set(deck(preset("quebec"))) - {"9s", "8s", "2d", "4d", "8h"}


def test_an_empty_stock_proves_where_cards_are() -> None:
    """R17: seat 1 draws the last card: all that seat 0 does not see is in other hands, though not in which."""
    game = OracleGame(TINY, StackedChance({(1, 0): TINY_DEAL}))
    assert game.knowledge(0).held_by_others == frozenset()
    play(game, "draw")
    assert game.knowledge(0).stock_size == 0
    assert game.knowledge(0).held_by_others == {"Kd", "Ah", "Kh", "As", "Ac"}
    assert game.knowledge(1).held_by_others == {"Kc", "Ad", "Kh", "As"}
    assert game.knowledge(0).known_cards == (frozenset(),) * 3


def test_a_reshuffle_keeps_what_was_proved() -> None:
    """R17: the new stock is out of sight, the hands stay proved; a card drawn from it is not, one discarded no more."""
    game = OracleGame(TINY, StackedChance({(1, 0): TINY_DEAL}))
    play(game, "draw", "discard Ac")
    assert game.stock == ("Ks",)
    known = game.knowledge(0)
    assert (known.reshuffles, known.stock_size, known.discard_pile) == (1, 1, ("Ac",))
    assert known.held_by_others == {"Kd", "Ah", "Kh", "As"}
    assert known.unseen == {"Kd", "Ah", "Kh", "As", "Ks"}
    play(game, "take", "discard Kh")
    assert game.knowledge(0).held_by_others == {"Kd", "Ah", "As", "Ac"}
    assert game.knowledge(0).known_cards[2] == {"Ac"}
    assert game.knowledge(2).held_by_others == {"Kc", "Ad", "Kd", "Ah"}


def test_events_come_newest_first() -> None:
    """Kind, seat, card where it was seen; the deal is none; a reshuffle is put down to the seat whose turn it opens."""
    game = play(OracleGame(TINY, StackedChance({(1, 0): TINY_DEAL})), "draw", "discard Ac", "take", "discard Kh")
    assert game.knowledge(0).events == (
        ("discard", 2, "Kh"),
        ("take", 2, "Ac"),
        ("reshuffle", 2, None),
        ("discard", 1, "Ac"),
        ("draw", 1, None),
    )
    play(game, "knock")
    assert game.knowledge(0).events[0] == ("knock", 0, None)


def test_twenty_events_are_kept() -> None:
    """The oldest are left out; the cards they showed stay known."""
    game = play(three_player_game("kawu"), "take", "discard 8h")
    for _ in range(12):
        play(game, "take", "discard 8h")
    assert len(game.knowledge(0).events) == 20
    assert game.knowledge(0).known_cards[1] == {"4d"}


def test_after_the_last_round_knowledge_stays_as_it_was() -> None:
    """The hands that a showdown has shown are no known cards, and no card is being taken any more."""
    game = three_player_game("kawu", round_limit=1, max_rounds=1)
    for _ in range(3):
        play(game, "take", "discard 4d")
    known = game.knowledge(0)
    assert (known.phase, known.to_move, known.taken) == ("OVER", None, None)
    assert known.known_cards == (frozenset(),) * 3
    assert {"10h", "9h", "8h"} <= known.unseen


def test_turns_and_the_last_lap() -> None:
    """R14: a turn counts when it starts, a last turn until it is over."""
    game = three_player_game(stock="2c 3c")
    assert (game.knowledge(2).turn, game.knowledge(2).turns) == (1, (0, 1, 0))
    play(game, "knock")
    assert (game.knowledge(2).knocker, game.knowledge(2).last_turns) == (1, 2)
    play(game, "draw")
    assert game.knowledge(0).last_turns == 2
    play(game, "discard 2c")
    assert (game.knowledge(0).last_turns, game.knowledge(0).turns) == (1, (1, 1, 1))
    play(game, "draw", "discard 3c")
    known = game.knowledge(0)
    assert (known.round, known.knocker, known.last_turns, known.lives) == (2, None, 0, (2, 3, 3))
    assert len(known.events) == 0


def test_what_a_swap_of_all_three_shows() -> None:
    """R41: everybody has seen all three cards of the new hand, and those of the old one lie on the table."""
    rules = preset("exchange", num_players=3)
    game = play(stacked_game(rules, "9s 8s 7d 6c 7h 9d Kc Qc 8c 9h 8h 7c"), "keep")
    assert game.knowledge(1).known_cards == (frozenset(),) * 3
    play(game, "swap all")
    known = game.knowledge(2)
    assert known.known_cards[1] == {"6c", "7h", "9d"}
    assert known.table == {"Kc", "Qc", "8c"}
    assert known.held_by_others == {"6c", "7h", "9d"}
    assert known.events == (("swap all", 1, None), ("keep", 0, None))
    play(game, "take table Kc", "leave 9h")
    assert game.knowledge(0).known_cards[2] == {"Kc"}
    assert "9h" not in game.knowledge(0).unseen


def test_at_the_dealers_choice_only_the_dealer_sees() -> None:
    """R40: three cards that the others cannot place, until a refusal lays them open."""
    game = stacked_game(preset("exchange", num_players=3), "9s 8s 7d 6c 7h 9d Kc Qc 8c 9h 8h 7c")
    assert game.knowledge(0).hand == {"9s", "8s", "7d"}
    assert len(game.knowledge(1).unseen) == 36
    assert game.knowledge(1).phase == "DEALER_CHOICE"
    assert (game.knowledge(1).stock_size, game.knowledge(1).turn) == (33, 0)
    play(game, "refuse")
    assert game.knowledge(1).table == {"9s", "8s", "7d"}
    assert game.knowledge(1).known_cards[0] == frozenset()
    assert game.knowledge(1).stock_size == 24


def test_cards_out_of_play_stay_seen() -> None:
    """R48: a renewed table lies open in the pile; there is no upcard in the exchange game."""
    game = stacked_game(preset("schwimmen", num_players=2), "9s 8s 7d 10c 7h 9d Kc Qc 8c Js Jh 10d")
    play(game, "keep", "pass", "pass")
    known = game.knowledge(0)
    assert set(known.discard_pile) == {"10c", "7h", "9d"}
    assert known.upcard is None
    assert not known.unseen & {"10c", "7h", "9d", "Js", "Jh", "10d"}
    assert known.events[0] == ("refresh", 0, None)
    play(game, "close")
    assert game.knowledge(0).events[0] == ("knock", 1, None)
