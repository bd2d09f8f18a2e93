"""The worked examples of the rule book, under the headings they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eval.transcript import STAND, Example

__all__ = ["EXAMPLES"]

_KNOCKER_TIED: Final[Mapping[str, Any]] = {
    "hands": ["9s 8s 2d", "9h 8h 2c", "Ks Qs 5s"], "knocker": 0, "to_move": 2, "upcard": "4d", "stock": "4c",
}  # fmt: skip
_31_AFTER_KNOCK: Final[Mapping[str, Any]] = {
    "hands": ["10h 9h 8h", "As Ks 5d", "7c 6c 2d"], "knocker": 0, "to_move": 1, "upcard": "Qs", "stock": "3h",
}  # fmt: skip
_EMPTY_STOCK: Final[Mapping[str, Any]] = {
    "hands": ["9s 8s 2d", "10h 9h 8h", "Kc Qc 3c"], "to_move": 0, "upcard": "5h", "discard_pile": "rest",
}  # fmt: skip
_EQUALS: Final = ["9s 8s 2d", "9h 8h 2c", "9d 8d 3h"]

EXAMPLES: Final[Mapping[str, Sequence[Example]]] = {
    "A 31 at the deal": [
        Example(
            title="Two seats are dealt a 31 (R9, R15)",
            text="Both holders are safe, everyone else loses a life, and nobody has had a turn.",
            preset="quebec", changes={"num_players": 3},
            position={"hands": ["As Ks Qs", "Ah Kh 10h", "9c 8c 2d"], "to_move": 1, "upcard": "4d", "turns": 0},
        ),
        Example(
            title="Everyone is dealt a 31 (R9, R15)",
            text="Nobody loses; the next round follows.",
            preset="quebec", changes={"num_players": 2},
            position={"hands": ["As Ks Qs", "Ah Kh 10h"], "to_move": 1, "upcard": "4d", "turns": 0},
        ),
        Example(
            title="Two 31s at the deal, for points (R30)",
            text="Each holder scores.",
            preset="quebec_points", changes={"num_players": 3},
            position={"hands": ["As Ks Qs", "Ah Kh 10h", "9c 8c 2d"], "to_move": 1, "upcard": "4d", "turns": 0},
        ),
    ],
    "A 31 after a knock": [
        Example(
            title="`quebec`: it ends the round (R15)",
            text="Seat 0 has knocked. Seat 1 makes a 31 on its last turn: seat 2 has no last turn, and the knocker "
            "loses one life like seat 2.",
            preset="quebec", changes={"num_players": 3},
            position=_31_AFTER_KNOCK, actions=["take", "discard 5d"],
        ),
        Example(
            title="`classic`: it only counts (R15)",
            text="The same cards: the last lap goes on, and the showdown charges the lowest hand alone.",
            preset="classic", changes={"num_players": 3},
            position=_31_AFTER_KNOCK, actions=["take", "discard 5d", "pass"],
        ),
        Example(
            title="`quebec_points`: its holder alone scores (R30)",
            text="The same cards again.",
            preset="quebec_points", changes={"num_players": 3},
            position=_31_AFTER_KNOCK, actions=["take", "discard 5d"],
        ),
    ],
    "The stock runs out": [
        Example(
            title="`classic`, last call: a pass ends the round (R17)",
            text="Showdown without knocker: seat 0 is lowest and loses one life, no more.",
            preset="classic", changes={"num_players": 3},
            position=_EMPTY_STOCK, actions=["pass"],
        ),
        Example(
            title="`classic`, last call: a knock ends it as well (R16, R17)",
            text="The same hands. Nobody has a last turn, but seat 0 is now a knocker, strictly lowest: two lives.",
            preset="classic", changes={"num_players": 3},
            position=_EMPTY_STOCK, actions=["knock"],
        ),
        Example(
            title="`classic`, last call after an earlier knock (R17)",
            text="Seat 2 has knocked and seat 0 draws the last card. Seat 1 still has its last turn; the rules let "
            "it pass.",
            preset="classic", changes={"num_players": 3},
            position={**_EMPTY_STOCK, "knocker": 2, "stock": "4d"}, actions=["draw", "discard 4d", "pass"],
        ),
        Example(
            title="`quebec`: the discard pile becomes the stock (R17)",
            text="Seat 0 draws the last card. Before seat 1 decides anything, all discards but the top one are "
            "shuffled.",
            preset="quebec", changes={"num_players": 2},
            position={"hands": ["9s 8s 2d", "10h 9h 8h"], "to_move": 0, "upcard": "5h", "discard_pile": "rest",
                      "stock": "4d"},
            actions=["draw", "discard 4d"],
        ),
    ],
    "The round limit": [
        Example(
            title="Two turns each, then a showdown without knocker (R50)",
            text="The limit is set to two turns a seat to be seen at all; the presets have a hundred.",
            preset="quebec", changes={"num_players": 2, "round_limit": 2},
            position={"hands": ["9s 8s 2d", "10h 9h 8h"], "to_move": 1, "dealer": 1, "turns": [2, 1], "upcard": "5h",
                      "stock": "4d"},
            actions=[STAND],
        ),
        Example(
            title="The limit in a last lap (R50)",
            text="Seat 1 has knocked on the fifth of six turns. Seat 2 has the sixth; the seventh, seat 0's last "
            "one, is never played. Seat 1 is lowest, and loses one life instead of two: it is no knocker any "
            "more.",
            preset="quebec", changes={"num_players": 3, "round_limit": 2},
            position={"hands": ["10h 9h 8h", "9s 8s 2d", "Kc Qc 3c"], "knocker": 1, "to_move": 2, "dealer": 2,
                      "turns": [2, 2, 1], "upcard": "5h", "stock": "4d"},
            actions=[STAND],
        ),
    ],
    "The knocker at the bottom": [
        Example(
            title="Strictly lowest (R16)",
            text="The knocker loses two lives; one with `failed_knock_penalty=1`.",
            preset="quebec", changes={"num_players": 3},
            position={**_KNOCKER_TIED, "hands": ["9s 8s 2d", "10h 9h 8h", "Ks Qs 5s"]}, actions=[STAND],
        ),
        Example(
            title="Tied for lowest, spared: `quebec`, `classic` (R16)",
            text="The knocker loses nothing, the other tied seat one life.",
            preset="quebec", changes={"num_players": 3},
            position=_KNOCKER_TIED, actions=[STAND],
        ),
        Example(
            title="Tied for lowest, doubled: `kawu` (R16)",
            text="The knocker loses two, the other tied seat one.",
            preset="kawu", changes={"num_players": 3},
            position=_KNOCKER_TIED, actions=[STAND],
        ),
        Example(
            title="Tied for lowest, shares (R16)",
            text="One life each.",
            preset="quebec", changes={"num_players": 3, "knocker_tie": "shares"},
            position=_KNOCKER_TIED, actions=[STAND],
        ),
    ],
    "The last life": [
        Example(
            title="Two lives lost with one left (R21)",
            text="Two are charged, but lives stop at nought: seat 0 goes into grace and plays on until its next "
            "loss.",
            preset="quebec", changes={"num_players": 2},
            position={"hands": ["9s 8s 2d", "10h 9h 8h"], "knocker": 0, "to_move": 1, "lives": [1, 3], "upcard": "5h",
                      "stock": "4d"},
            actions=[STAND],
        ),
        Example(
            title="`kawu`: everyone would be out (R23)",
            text="Without grace, a tied knock would put both seats out. The round is void and nobody is charged.",
            preset="kawu", changes={"num_players": 2},
            position={"hands": ["9s 8s 2d", "9h 8h 2c"], "knocker": 0, "to_move": 1, "lives": [2, 1], "upcard": "5h",
                      "stock": "4d"},
            actions=[STAND],
        ),
        Example(
            title="`classic`: a playoff between three (R23)",
            text="All three are in grace, all three tie. The round that opens the playoff charges nothing. In it "
            "each loser is out: first one of three, then one of two.",
            preset="classic", changes={"num_players": 3},
            position={"hands": _EQUALS, "to_move": 0, "lives": [0, 0, 0], "upcard": "5h", "discard_pile": "rest",
                      "seed": 0},
            actions=["pass", STAND, STAND, STAND, "knock", STAND, STAND, STAND, STAND, "knock", STAND],
        ),
        Example(
            title="Buying in, and declining (R24)",
            text="Two seats in grace. Seat 0 goes out, and is asked before anyone has won: it buys in, and has "
            "three lives and grace again. In the next round seat 1 goes out and declines. The winner takes "
            "the other's stake; its own two come back to it.",
            preset="buy_in", changes={"num_players": 2},
            position={"hands": ["9s 8s 2d", "10h 9h 8h"], "to_move": 0, "lives": [0, 0], "upcard": "5h",
                      "discard_pile": "rest", "seed": 0},
            actions=["knock", "buy in", STAND, STAND, "knock", STAND, "decline"],
            shows_pot=True,
        ),
    ],
    "The points table": [
        Example(
            title="The knocker loses a tie for highest (R31)",
            text="Seats 0 and 1 are level at the top; seat 0 has knocked, so seat 1 alone scores.",
            preset="quebec_points", changes={"num_players": 3},
            position={"hands": ["Ks Qs 5s", "Kh Qh 5h", "9s 8s 2d"], "knocker": 0, "to_move": 2, "upcard": "4d",
                      "stock": "4c"},
            actions=[STAND],
        ),
        Example(
            title="Playing beyond the target (R31, R32)",
            text="Seats 0 and 1 share the point that brings both to 31, so nobody has won. The next round decides.",
            preset="quebec_points", changes={"num_players": 3},
            position={"hands": ["Ks Qs 5s", "Kh Qh 5h", "9s 8s 2d"], "knocker": 2, "to_move": 1, "dealer": 1,
                      "points": [30, 30, 5], "upcard": "4d", "stock": "4c", "seed": 0},
            actions=[STAND, "knock", STAND, STAND],
        ),
    ],
    "The exchange game": [
        Example(
            title="The dealer refuses (R40)",
            text="The three cards looked at go to the table, the next three of the stock, unseen until then, to "
            "the dealer; then everyone else gets three.",
            preset="exchange", changes={"num_players": 3},
            position={"hands": ["9s 8h 7d", "", ""], "dealer": 0, "to_move": 0, "stock": "Kc Qc 8c", "turns": 0},
            actions=["refuse"],
        ),
        Example(
            title="The first pass opens the last lap (R42, R45)",
            text="Each of the others plays once more. Two tie for lowest and lose a coin each; the seat that "
            "passed is not among them, and if it were it would lose one too.",
            preset="exchange", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "Kc Qc 8c", "9h 8h 7c"], "table": "6c 7h 9d", "dealer": 0, "to_move": 1},
            actions=["pass", "take table 9d", "leave 7c", "take table 7c", "leave 7d"],
        ),
        Example(
            title="Swapping all three, and being locked (R43)",
            text="Seat 1 swaps its whole hand. When its turn comes again passing is all it may do, and since "
            "nobody has passed before, that opens the last lap.",
            preset="exchange", changes={"num_players": 2},
            position={"hands": ["9s 8s 7d", "9h 8d 7c"], "table": "Kc Qc 8c", "dealer": 0, "to_move": 1},
            actions=["swap all", "take table 8d", "leave 7d", "pass", "pass"],
        ),
        Example(
            title="A 31 after a swap is a showdown (R44)",
            text="The lowest hand loses, not everyone else.",
            preset="exchange", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "Ac Qc 8h", "Kd Qd 7c"], "table": "Kc 7h 9d", "dealer": 0, "to_move": 1},
            actions=["take table Kc", "leave 8h"],
        ),
        Example(
            title="All hands equal (R45)",
            text="The round is void.",
            preset="exchange", changes={"num_players": 2},
            position={"hands": ["9s 8s 7d", "9h 8h 7c"], "table": "Kc 7h 6d", "dealer": 0, "to_move": 1},
            actions=["pass", "pass"],
        ),
    ],
    "Schwimmen": [
        Example(
            title="A lap of passes renews the table (R48)",
            text="Passing opens no last lap here. When all three have passed in turn, three cards of the stock "
            "take the place of those on the table, and play goes on.",
            preset="schwimmen", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "Kc Qc 8c", "9h 8h 7c"], "table": "10c 7h 9d", "dealer": 0, "to_move": 1,
                      "stock": "Js Jh 10d"},
            actions=["pass", "pass", "pass"],
        ),
        Example(
            title="No cards left to renew it (R48)",
            text="Sixteen cards, four hands and the table: one card is left. The lap of passes ends the round with "
            "a showdown that nobody closed.",
            preset="schwimmen", changes={"num_players": 4, "ranks": "JQKA"},
            position={"hands": ["As Ks Jh", "Ah Kh Jc", "Kc Qc Ad", "Kd Qd Ac"], "table": "Qs Js Qh", "dealer": 0,
                      "to_move": 1},
            actions=["pass", "pass", "pass", "pass"],
        ),
        Example(
            title="Closing (R48)",
            text="Closing opens the last lap, also for a seat that has swapped all three.",
            preset="schwimmen", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "Kc Qc 8c", "9h 8h 7c"], "table": "10c 7h 9d", "dealer": 0, "to_move": 1,
                      "locked": [1]},
            actions=["close", "take table 9d", "leave 7c", "pass"],
        ),
        Example(
            title="Three aces (R48)",
            text="33 points, looked for when a 31 is. Everyone else loses a life, whatever they hold.",
            preset="schwimmen", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "As Ah 8c", "9h 8h 7c"], "table": "Ad 7h 9d", "dealer": 0, "to_move": 1},
            actions=["take table Ad", "leave 8c"],
        ),
        Example(
            title="Three aces and a 31 in one deal (R44, R48)",
            text="The aces win: seat 2 loses a life in spite of its 31, as everyone else does.",
            preset="schwimmen", changes={"num_players": 3},
            position={"hands": ["9s 8s 7d", "As Ah Ad", "Ac Kc 10c"], "table": "Kd 7h 9d", "dealer": 0, "to_move": 1,
                      "turns": 0},
        ),
    ],
    "Hands of four": [
        Example(
            title="A total of 31 ends nothing (R4)",
            text="Seat 0 throws the 5 and holds A-K-Q of spades and a deuce: 31 of a possible 41. Play goes on.",
            preset="four_card", changes={"num_players": 2},
            position={"hands": ["As Ks Qs 5d", "10h 9h 8h 2c"], "to_move": 0, "upcard": "4d", "stock": "2d"},
            actions=["draw", "discard 5d"],
        ),
        Example(
            title="A 41 does (R4, R15)",
            text="The fourth spade worth ten.",
            preset="four_card", changes={"num_players": 2},
            position={"hands": ["As Ks Qs 5d", "10h 9h 8h 2c"], "to_move": 0, "upcard": "4d", "stock": "10s"},
            actions=["draw", "discard 5d"],
        ),
    ],
}  # fmt: skip
"""Every example, under the heading it stands in."""
