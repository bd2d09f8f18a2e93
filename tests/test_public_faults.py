"""Faults of the rules and of games, each seen in public code for this game or one like it: none of them is here."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest

from tests.play import choose, legal_names, observe, random_games, stand, value
from trente_env import PRESETS, Game, GameBatch, GameOverError, IllegalActionError, InvalidRulesError, Rules, preset
from trente_env.cards import RANKS, bits_of, parse_cards
from trente_env.rules import StockExhaustion

QUEBEC = preset("quebec", num_players=3)
LOW, HIGH = "2s 3h 4d", ("Ks Qs 9s", "Kh Qh 9h", "Kd Qd 9d", "Kc Qc 9c")


def test_a_knocker_at_seat_0_is_a_knocker() -> None:
    """Fault: seat 0 is false, so its knock counts as nobody's: others knock too, it pays nothing (R13, R14, R16)."""
    game = Game.set_up(QUEBEC, ["9s 2h 3d", HIGH[1], HIGH[2]], upcard="2c")
    game.apply("knock")
    assert game.knocker == 0
    assert observe(game, 1)["knocker"].tolist() == [0, 0, 1], "seat 0 sits two places behind seat 1"
    moved = []
    while game.last_round is None:
        assert "knock" not in legal_names(game)
        moved.append(game.seat_to_move)
        stand(game)
    assert moved == [1, 2]
    assert (game.last_round.knocker, game.last_round.losses) == (0, (2, 0, 0))


def test_a_pass_of_seat_0_opens_the_last_lap() -> None:
    """Fault: the same in the exchange game: after a pass of seat 0 the others go on for ever (R42)."""
    hands = ["9s 9h 8d", "Ks Qs 6h", "Kd Qd 6s"]
    game = Game.set_up(preset("exchange", num_players=3), hands, table="7c 8c 7h")
    for _ in range(3):
        assert game.last_round is None
        game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.knocker, game.last_round.losses) == (0, (1, 0, 0))


def test_a_winner_at_seat_0_is_a_winner() -> None:
    """Fault: seat 0 is false, so a game that it wins has no winner and pays nobody (R22)."""
    game = Game.set_up(QUEBEC, ["As Ks 2d", HIGH[1], HIGH[2]], upcard="Qs", lives=[0, 0, 0])
    game.apply("take")
    game.apply("discard 2d")
    assert (game.is_over, game.winner) == (True, 0)
    assert game.rewards("game") == (1, -0.5, -0.5)
    assert game.rewards("pot") == (2, -1, -1)


def test_seed_0_is_a_seed() -> None:
    """Fault: seed 0 is false, so that it seeds nothing."""
    assert Game(QUEBEC, 0) == Game(QUEBEC, 0)
    first, second = (GameBatch(QUEBEC, 3, seed=1).reset(seed=0) for _ in range(2))
    assert np.array_equal(first.observations_BS, second.observations_BS)


def test_action_0_is_an_action() -> None:
    """Fault: action 0 is false, so that it is taken for no action, or for an illegal one."""
    game = Game.set_up(QUEBEC, ["2c 9s 3d", HIGH[1], HIGH[2]], upcard="5c", stock="5d")
    game.apply("draw")
    assert game.is_legal(0)
    game.apply(0)
    assert game.upcard == "2c"


@pytest.mark.parametrize(
    ("name", "losses", "points"), [("quebec", (0, 0, 1), (0, 0, 0)), ("quebec_points", (0, 0, 0), (1, 1, 0))]
)
def test_every_31_at_the_deal_counts(name: str, losses: Any, points: Any) -> None:
    """Fault: of several 31s at the deal only the last one found is its holder's safety, or point (R15, R30)."""
    game = Game.set_up(preset(name, num_players=3), ["As Ks Qs", "Ah Kh Qh", "9d 8d 2c"], upcard="5d", turns=0)
    assert game.last_round is not None
    assert (game.last_round.losses, game.last_round.points) == (losses, points)


@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "quebec_points", "exchange", "schwimmen"])
def test_four_cards_in_mid_turn_are_no_hand(name: str) -> None:
    """Fault: the four cards of a mid-turn are looked at for a 31, which ends the round at once (R15, R41)."""
    is_exchange = name in {"exchange", "schwimmen"}
    hands = ["As Ks 7d", "Kh Qh 9h", "Kd Qd 9d"]
    game = Game.set_up(
        preset(name, num_players=3), hands, **({"table": "Qs 7c 8c"} if is_exchange else {"upcard": "Qs"})
    )
    game.apply("take table Qs" if is_exchange else "take")
    assert (game.round_number, game.last_round, game.seat_to_move) == (1, None, 0)
    assert "As" in game.hands[0]
    game.apply("leave Ks" if is_exchange else "discard Ks")
    assert (game.last_round, game.seat_to_move) == (None, 1), "a 31 among four cards may be broken up"


def test_the_card_thrown_away_is_not_counted() -> None:
    """Fault: the showdown adds up all four cards that a seat held in its last turn (R2, R11)."""
    game = Game.set_up(QUEBEC, ["9s 8s 7s", HIGH[1], HIGH[2]], upcard="2c", stock="6s", knocker=2, to_move=0)
    game.apply("draw")
    game.apply("discard 6s")
    stand(game)
    assert game.last_round is not None
    assert game.last_round.half_points[0] == 2 * 24 == value("9s 8s 7s", QUEBEC)


@pytest.mark.parametrize(
    ("dealer", "loser", "next_dealer", "first"),
    [(0, 0, 1, 2), (0, 1, 2, 3), (0, 2, 1, 3), (3, 3, 0, 1), (3, 0, 1, 2), (2, 3, 0, 1), (2, 0, 3, 1), (1, 3, 2, 0)],
)
def test_turn_order_after_a_seat_went_out(dealer: int, loser: int, next_dealer: int, first: int) -> None:
    """Fault: where the seat put out was the dealer, the next dealer or the first to act, a seat is left out (R7)."""
    hands = [LOW if seat == loser else HIGH[seat] for seat in range(4)]
    lives = [0 if seat == loser else 3 for seat in range(4)]
    game = Game.set_up(
        preset("quebec", num_players=4), hands, upcard="2c", dealer=dealer, to_move=1, knocker=2, lives=lives
    )
    stand(game)
    assert game.last_round is not None
    assert game.last_round.out == (loser,)
    assert (game.dealer, game.seat_to_move) == (next_dealer, first)
    movers = []
    for _ in range(6):
        assert game.seat_to_move is not None
        movers.append(game.seat_to_move)
        stand(game)
    clockwise = [seat for seat in itertools.islice(itertools.cycle(range(4)), first, first + 9) if seat != loser]
    assert movers == clockwise[:6]


@pytest.mark.parametrize("num_players", [2, 3])
def test_an_upcard_exchanged_for_ever_ends(num_players: int) -> None:
    """Fault: players who take the upcard and return it play for ever; here each round ends by its limit (R50)."""
    game = Game(preset("classic", num_players=num_players, starting_lives=1), seed=4)
    rounds = 0
    while not game.is_over:
        assert game.turn_number <= 100 * sum(game.in_game)
        card = game.upcard
        game.apply("take")
        game.apply(f"discard {card}")
        assert game.last_round is None or game.last_round.end in {"limit", "31 at the deal"}
        rounds += game.rounds_ended
    assert game.winner is not None
    assert rounds >= 2 * (num_players - 1)


@pytest.mark.parametrize(("name", "lives", "outcome"), [("kawu", [1, 1], "void"), ("classic", [0, 0], "playoff")])
def test_there_is_always_a_winner(name: str, lives: list[int], outcome: str) -> None:
    """Fault: where the last seats lose together the list of winners is empty, and taking its first fails (R23)."""
    rules = preset(name, num_players=2, stock_exhaustion="last_call")
    game = Game.set_up(rules, ["Kd Jc 7h", "Kc Jd Qs"], upcard="5d", discard_pile="rest", lives=lives, turns=2)
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.outcome, game.in_game, game.winner) == (outcome, (True, True), None)
    dice = random.Random(1)
    while not game.is_over:
        game.apply(choose(game, dice, patience=0.5))
    assert game.winner is not None
    assert game.in_game == tuple(seat == game.winner for seat in range(2))


@pytest.mark.parametrize("stock_exhaustion", StockExhaustion)
@pytest.mark.parametrize("num_players", [2, 3])
def test_an_empty_stock_with_nothing_to_shuffle(num_players: int, stock_exhaustion: StockExhaustion) -> None:
    """Fault: with the stock empty and one discard there is nothing to draw or shuffle, and the game fails (R8, R17)."""

    def smallest(num_cards: int) -> Rules:
        return Rules(
            num_players=num_players,
            ranks=RANKS[:num_cards],
            suits="c",
            stock_exhaustion=stock_exhaustion,
            may_return_upcard=True,
            max_rounds=50,
        )

    with pytest.raises(InvalidRulesError, match="R8"):
        smallest(3 * num_players + 1)
    rules = smallest(3 * num_players + 2)
    is_tried = False
    for game, _ in random_games(rules, 1_500):
        if game.phase != "DRAW":
            continue
        if game.stock_size == 0:
            is_tried = True
            assert rules.stock_exhaustion == StockExhaustion.LAST_CALL
            assert {"take", "pass"} <= legal_names(game) <= {"take", "pass", "knock"}
        else:
            assert "draw" in legal_names(game)
        is_tried |= int(game.seat_view(0)["reshuffles"]) > 0
    assert is_tried


def test_a_waiting_seat_has_no_legal_action() -> None:
    """Fault: the mask does not ask whose turn it is, so that every seat is shown the mover's, and so its hand."""
    for name in PRESETS:
        for game, _ in random_games(preset(name, num_players=3), 60):
            shown = [int(game.seat_view(seat)["legal"]) for seat in range(3)]
            assert shown == [bits_of(game.legal_actions()) if seat == game.seat_to_move else 0 for seat in range(3)]


def test_a_view_is_of_the_seat_asked_for() -> None:
    """Fault: whoever is asked about, the observation is that of the seat to move, its hand included."""
    for game, _ in random_games(QUEBEC, 100):
        for seat in range(3):
            assert int(game.seat_view(seat)["hand"]) == bits_of(parse_cards(game.hands[seat]))
            assert np.flatnonzero(observe(game, seat)["hand"]).tolist() == sorted(parse_cards(game.hands[seat]))


def test_a_truncated_game_has_no_result() -> None:
    """Fault: a game stopped for its length counts as ended, with a winner and rewards (R50)."""
    rules = preset("quebec", num_players=3, max_rounds=1)
    game, batch = Game(rules, 3), GameBatch(rules, 1, autoreset=False, reward="game")
    out = batch.reset(seeds=np.array([3]))
    while not game.is_over:
        action = game.legal_actions()[-1]
        game.apply(action)
        batch.step(np.array([action]), out)
    assert (game.is_truncated, game.winner, game.rewards("game")) == (True, None, (0, 0, 0))
    assert (out.truncated_B[0], out.terminated_B[0], out.rewards_BN[0].any()) == (True, False, False)


def test_a_game_that_ends_leaves_the_others_alone() -> None:
    """Fault: when one game of a batch is over, all are begun anew."""
    rules = preset("kawu", num_players=2, starting_lives=1)
    batch, dice = GameBatch(rules, 8, seed=2), random.Random(2)
    games = [Game(rules, int(seed)) for seed in batch.seeds]
    out = batch.reset()
    while sum(game.is_over for game in games) < 4:
        actions = [choose(batch.game(row), dice, patience=0.5) for row in range(8)]
        batch.step(np.array(actions), out)
        for row, game in enumerate(games):
            if not game.is_over:
                game.apply(actions[row])
                assert game.is_over or batch.game(row) == game
                assert out.terminated_B[row] == game.is_over
    assert not all(game.is_over for game in games)


def test_a_game_that_is_over_takes_no_action() -> None:
    """Fault: a step after the end is taken without a word, or begins another game unasked."""
    game = Game(preset("quebec", num_players=2, starting_lives=1), 5)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    before = game.to_bytes()
    for action in (0, "draw", "knock", 61):
        with pytest.raises(GameOverError):
            game.apply(action)
    assert not game.action_mask().any()
    assert game.to_bytes() == before


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, Game.clone, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_keeps_the_position(way: Any) -> None:
    """Fault: in mid-game, copies and pickles fail, or quietly begin the game anew."""
    game = Game(QUEBEC, 6)
    for name in ("draw", f"discard {game.hands[game.seat_to_move or 0][0]}", "draw"):
        game.apply(name)
    twin, before = way(game), game.to_bytes()
    assert twin.to_bytes() == before
    twin.apply(twin.legal_actions()[0])
    assert (game.to_bytes(), twin.num_decisions) == (before, game.num_decisions + 1)


def test_tables_of_different_sizes_do_not_meddle() -> None:
    """Fault: the size of the table stands in a module's global, so that two tables in one process spoil each other."""
    tables = [preset("quebec", num_players=2), preset("classic", num_players=7), preset("exchange", num_players=9)]
    alone = [[game.to_bytes() for game, _ in random_games(rules, 60)] for rules in tables]
    in_turn = zip(*(random_games(rules, 60) for rules in tables), strict=True)
    for expected, steps in zip(zip(*alone, strict=True), in_turn, strict=True):
        assert expected == tuple(game.to_bytes() for game, _ in steps)


def test_chance_is_the_games_own() -> None:
    """Fault: cards are shuffled by the process's own generators: playing moves them on, seeding them changes play."""
    states = random.getstate(), np.random.get_state()  # noqa: NPY002 - it is what is tested
    first = Game(QUEBEC, 7)
    GameBatch(QUEBEC, 4, seed=7).reset()
    for game in (first, *(game for game, _ in random_games(QUEBEC, 40))):
        game.clone().seat_view(0)
    assert random.getstate() == states[0]
    assert repr(np.random.get_state()) == repr(states[1])  # noqa: NPY002 - as above
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - as above
    assert Game(QUEBEC, 7) == first


def test_a_mask_is_the_callers_own() -> None:
    """Fault: the mask handed out is the one that the game judges by, so that writing into it makes actions legal."""
    game = Game(QUEBEC, 8)
    before = game.action_mask()
    game.action_mask()[:] = 1
    assert np.array_equal(game.action_mask(), before)
    with pytest.raises(IllegalActionError):
        game.apply(int(np.flatnonzero(before == 0)[0]))
    batch = GameBatch(QUEBEC, 1, seed=8)
    out = batch.reset()
    illegal = np.flatnonzero(out.masks_BA[0] == 0)[:1]
    out.masks_BA[:] = 1
    with pytest.raises(IllegalActionError):
        batch.step(illegal, out)
