"""The engine against a second, plain reading of the rule book (tests/oracles.py), along random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.oracles import Ending, Result, Witness, end_by_31, settle, top, value
from tests.play import NAMES, TABLES, any_rules, legal_names, random_games, table_rules
from trente_env import Game, Rules, preset
from trente_env.cards import card_text
from trente_env.core import calls

NUM_ANY_RULES = 25
DECK = [rank + suit for suit in "cdhs" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")]
"""The texts of the cards by id."""


def some_rules(part: int) -> list[Rules]:
    """Return one of five lists of rules that no preset has."""
    dice = random.Random(part)
    return [any_rules(dice) for _ in range(NUM_ANY_RULES)]


def decisions(rules: Rules, num_decisions: int) -> Iterator[tuple[Game, Witness, str, Ending | None, Game]]:
    """Yield along random games: game, witness, the action taken, how that ends the round, and the game after."""
    watched, witness = None, Witness(rules)
    for game, action in random_games(rules, num_decisions):
        if game is not watched:
            watched, witness = game, Witness(rules)
        witness.look(game)
        name = game.action_name(action)
        ending = witness.saw(game, name)
        after = game.clone()
        after.apply(action)
        yield game, witness, name, ending, after


def settlements(rules: Rules, num_decisions: int) -> Iterator[tuple[Game, Ending, Result, Game]]:
    """Yield the rounds that ended, and what the second reading says came of them."""
    for game, _, _, ending, after in decisions(rules, num_decisions):
        if ending is not None and after.rounds_ended == 1:
            assert after.last_round is not None
            hands = [tuple(hand) for hand in after.last_round.hands]
            yield game, ending, settle(rules, ending, hands, game.lives, is_playoff=game.is_playoff), after


def check_legal_actions(rules: Rules, num_decisions: int) -> None:
    """Compare the legal actions at every decision."""
    watched, witness = None, Witness(rules)
    for game, action in random_games(rules, num_decisions):
        if game is not watched:
            watched, witness = game, Witness(rules)
        witness.look(game)
        assert legal_names(game) == witness.allowed(game)
        assert game.action_mask().nonzero()[0].tolist() == game.legal_actions()
        witness.saw(game, game.action_name(action))


def check_endings(rules: Rules, num_decisions: int) -> Counter[str]:
    """Compare when and how rounds end; return how they did."""
    ends = Counter[str]()
    for game, _, name, ending, after in decisions(rules, num_decisions):
        if name in {"keep", "refuse", "buy in", "decline"}:
            continue
        assert (after.rounds_ended > 0) is (ending is not None)
        if ending is not None and after.rounds_ended == 1:
            assert after.last_round is not None
            assert (after.last_round.end, after.last_round.knocker) == (ending.end, ending.knocker)
            assert after.last_round.number == game.round_number
            ends[ending.end] += 1
    return ends


def check_settlements(rules: Rules, num_decisions: int) -> Counter[str]:
    """Compare what rounds cost and bring, and what is left afterwards; return what came of them."""
    outcomes = Counter[str]()
    for game, _, result, after in settlements(rules, num_decisions):
        shown = after.last_round
        assert shown is not None
        assert (shown.outcome, list(shown.losses), list(shown.points), list(shown.out)) == (
            result.outcome,
            result.losses,
            result.points,
            result.out,
        )
        paid = [0] * rules.num_players if game.is_playoff else result.losses
        assert list(after.lives) == [max(0, left - loss) for left, loss in zip(game.lives, paid, strict=True)]
        assert list(after.points) == [had + won for had, won in zip(game.points, result.points, strict=True)]
        still_in = [seat for seat in range(rules.num_players) if game.in_game[seat] and seat not in result.out]
        assert [seat for seat in range(rules.num_players) if after.in_game[seat]] == still_in
        assert after.is_playoff is (game.is_playoff or result.outcome == "playoff")
        outcomes[result.outcome] += 1
        check_what_follows(game, result, still_in, after)
    return outcomes


def check_what_follows(game: Game, result: Result, still_in: list[int], after: Game) -> None:
    """R7, R22, R24, R32, R50: who is asked, who has won, or who deals next."""
    rules = game.rules
    clockwise = [(game.dealer + step) % rules.num_players for step in range(1, rules.num_players + 1)]
    asked = [seat for seat in clockwise if seat in result.out and game.buy_ins[seat] < rules.buy_ins]
    best = max(after.points)
    if rules.scoring == "points":
        winners = [after.points.index(best)] if best >= rules.target_points and after.points.count(best) == 1 else []
    else:
        winners = still_in if len(still_in) == 1 else []
    if asked and not game.is_playoff:
        assert (after.seat_to_move, legal_names(after)) == (asked[0], {"buy in", "decline"})
    elif winners:
        assert (after.winner, after.is_over, after.is_truncated) == (winners[0], True, False)
    elif game.round_number == rules.max_rounds:
        assert (after.winner, after.is_over, after.is_truncated) == (None, True, True)
    else:
        assert after.round_number == game.round_number + 1
        assert after.dealer == next(seat for seat in clockwise if seat in still_in)
        assert [len(hand) > 0 for hand in after.hands].count(True) in {1, len(still_in)}


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_legal_actions_of_the_presets(name: str, num_players: int) -> None:
    """At every decision of random games, exactly the actions that the rule book allows are legal."""
    check_legal_actions(table_rules(name, num_players), 120)


@pytest.mark.parametrize("part", range(5))
def test_legal_actions_of_any_rules(part: int) -> None:
    """The same under rules that no preset has, with any field set in any way."""
    for rules in some_rules(part):
        check_legal_actions(rules, 60)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_endings_of_the_presets(name: str, num_players: int) -> None:
    """Rounds end when, and only when, the rule book ends them, and as it says."""
    assert sum(check_endings(table_rules(name, num_players).replace(round_limit=50), 150).values()) >= 1


@pytest.mark.parametrize("part", range(5))
def test_endings_of_any_rules(part: int) -> None:
    """The same under rules that no preset has; knocks, 31s and limits all occur."""
    ends = sum((check_endings(rules, 60) for rules in some_rules(part)), Counter[str]())
    assert {"knock", "31", "limit"} <= set(ends)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_settlements_of_the_presets(name: str, num_players: int) -> None:
    """What each round costs or brings, who goes out, who deals, wins or is asked next: all is as the rule book says."""
    assert sum(check_settlements(table_rules(name, num_players), 160).values()) >= 1


@pytest.mark.parametrize("part", range(5))
def test_settlements_of_any_rules(part: int) -> None:
    """The same under rules that no preset has; void rounds and charged ones both occur."""
    outcomes = sum((check_settlements(rules, 80) for rules in some_rules(part)), Counter[str]())
    assert {"charged", "void"} <= set(outcomes)


def test_playoffs_of_any_rules() -> None:
    """Playoffs, begun and played on, are among the settlements compared."""
    dice = random.Random(99)
    outcomes = Counter[str]()
    for _ in range(60):
        rules = any_rules(dice)
        if rules.play_style == "draw" and rules.scoring == "lives":
            tight = rules.replace(starting_lives=1, grace=False, all_out="playoff", knocker_tie="shares", buy_ins=0)
            outcomes += check_settlements(tight, 80)
    assert outcomes["playoff"] >= 10


def deal_with_31s(rules: Rules, dice: random.Random) -> tuple[list[str], list[str]]:
    """Return hands for three seats, at least one of them the deck's best total, and the cards left over."""
    deck = [card_text(card) for card in rules.deck]
    tens = [card for card in deck if card[:-1] in {"10", "J", "Q", "K"}]
    hands: list[list[str]] = []
    for seat, suit in enumerate(dice.sample("cdhs", 3)):
        is_31 = seat == 0 or dice.random() < 0.5
        of_suit = [card for card in tens if card[-1] == suit]
        hands.append(["A" + suit, *dice.sample(of_suit, rules.hand_size - 1)] if is_31 else [])
    rest = [card for card in deck if not any(card in hand for hand in hands)]
    dice.shuffle(rest)
    for hand in hands:
        while len(hand) < rules.hand_size:
            hand.append(rest.pop())
    dice.shuffle(hands)
    return [" ".join(hand) for hand in hands], rest


@pytest.mark.parametrize("name", NAMES)
def test_deals_over_at_once(name: str) -> None:
    """Hands dealt with one 31 or several are settled as the rule book settles such a deal."""
    rules = preset(name, num_players=3)
    dice = random.Random(name)
    for _ in range(30):
        hands, rest = deal_with_31s(rules, dice)
        middle = {"table": rest[:3]} if rules.play_style == "exchange" else {"upcard": rest[:1]}
        game = Game.set_up(rules, hands, turns=0, **middle)
        texts = [hand.split() for hand in hands]
        ending = end_by_31(rules, texts, "31 at the deal")
        assert ending is not None
        assert game.last_round is not None
        result = settle(rules, ending, texts, (3, 3, 3), is_playoff=False)
        assert game.last_round.end == ending.end
        assert (list(game.last_round.losses), list(game.last_round.points)) == (result.losses, result.points)


@pytest.mark.parametrize("part", range(5))
def test_values_of_any_hand(part: int) -> None:
    """Hands have the value that a plain reading of section B gives them, under any rules."""
    dice = random.Random(part)
    for rules in some_rules(part):
        assert rules.top_half_points == top(rules)
        for _ in range(20):
            cards = dice.sample(rules.deck, rules.hand_size)
            bits = sum(1 << card for card in cards)
            texts = [DECK[card] for card in cards]
            assert calls.value_of(bits, rules.three_of_a_kind, rules.three_aces) == value(rules, texts)
