"""The games that are written down: every preset once, and every rare event of the rule book."""

from __future__ import annotations

from typing import Final

from eval.playthrough import Scenario

__all__ = ["SCENARIOS"]

_PRESETS: Final = (
    Scenario(
        name="preset_quebec", text="quebec with three seats and a life each: a whole game.",
        preset="quebec", changes={"num_players": 3, "starting_lives": 1}, opening={"seed": 127}, further=100,
    ),
    Scenario(
        name="preset_classic", text="classic with four seats and a life each: a whole game.",
        preset="classic", changes={"num_players": 4, "starting_lives": 1}, opening={"seed": 209}, further=100,
    ),
    Scenario(
        name="preset_kawu", text="kawu with nine seats and a life each: a whole game.",
        preset="kawu", changes={"num_players": 9, "starting_lives": 1}, opening={"seed": 264}, further=100, patience=9,
    ),
    Scenario(
        name="preset_exchange", text="exchange with three seats and two coins each: a whole game.",
        preset="exchange", changes={"num_players": 3, "starting_lives": 2}, opening={"seed": 351}, further=100,
    ),
    Scenario(
        name="preset_quebec_points", text="quebec_points with two seats, to three points: a whole game.",
        preset="quebec_points", changes={"num_players": 2, "target_points": 3}, opening={"seed": 123}, further=100,
    ),
    Scenario(
        name="preset_schwimmen", text="schwimmen with five seats and a life each: a whole game.",
        preset="schwimmen", changes={"num_players": 5, "starting_lives": 1}, opening={"seed": 168}, further=100,
    ),
    Scenario(
        name="preset_italian40", text="italian40 with six seats and a life each: a whole game.",
        preset="italian40", changes={"num_players": 6, "starting_lives": 1}, opening={"seed": 209}, further=100,
    ),
    Scenario(
        name="preset_four_card", text="four_card with two seats and two lives each: a whole game.",
        preset="four_card", changes={"num_players": 2, "starting_lives": 2}, opening={"seed": 279}, further=100,
    ),
    Scenario(
        name="preset_no_trips", text="no_trips with seven seats and a life each: a whole game.",
        preset="no_trips", changes={"num_players": 7, "starting_lives": 1}, opening={"seed": 387}, further=100,
    ),
    Scenario(
        name="preset_buy_in", text="buy_in with three seats and a life each: a whole game (R24).",
        preset="buy_in", changes={"num_players": 3, "starting_lives": 1}, opening={"seed": 138}, further=100,
    ),
)  # fmt: skip

_DRAWING: Final = (
    Scenario(
        name="31_at_the_deal_for_two",
        text="Two seats are dealt a 31: both are safe, and seat 1, in grace, is out without a turn (R9, R15).",
        preset="quebec", changes={"num_players": 4},
        position={"hands": ["As Ks Qs", "9c 8c 2d", "Ah Kh 10h", "7d 6d 2h"], "to_move": 1, "upcard": "4d", "turns": 0,
                  "lives": [2, 0, 1, 3], "seed": 3},
        further=4,
    ),
    Scenario(
        name="31_at_the_deal_for_two_points", text="Two seats are dealt a 31 in the points game: both score (R30).",
        preset="quebec_points", changes={"num_players": 3, "target_points": 4},
        position={"hands": ["9c 8c 2d", "As Ks Qs", "Ah Kh 10h"], "to_move": 1, "upcard": "4d", "turns": 0,
                  "points": [1, 3, 3], "seed": 1},
        further=4,
    ),
    Scenario(
        name="31_in_the_last_lap_ends_the_round",
        text="Seat 1 makes a 31 on its last turn: seats 2 and 3 have none, the knocker loses one life (R15).",
        preset="quebec", changes={"num_players": 4},
        position={"hands": ["10h 9h 8h", "As Ks 5d", "7c 6c 2d", "9d 8d 3c"], "knocker": 0, "to_move": 1, "dealer": 3,
                  "upcard": "Qs", "lives": [1, 1, 1, 1]},
        actions=["take", "discard 5d"],
    ),
    Scenario(
        name="31_in_the_last_lap_counts_only",
        text="The same cards where the last lap goes on: at the showdown the lowest hand alone pays (R15).",
        preset="classic", changes={"num_players": 4},
        position={"hands": ["10h 9h 8h", "As Ks 5d", "7c 6c 2d", "9d 8d 3c"], "knocker": 0, "to_move": 1, "dealer": 3,
                  "upcard": "Qs", "lives": [1, 1, 1, 1]},
        actions=["take", "discard 5d", "take", "discard 2d", "pass"],
    ),
    Scenario(
        name="31_in_the_last_lap_points", text="The same in the points game: its holder alone scores (R30).",
        preset="quebec_points", changes={"num_players": 3},
        position={"hands": ["10h 9h 8h", "As Ks 5d", "7c 6c 2d"], "knocker": 0, "to_move": 1, "upcard": "Qs"},
        actions=["take", "discard 5d"],
    ),
    Scenario(
        name="reshuffle",
        text="The stock is empty at the start of seat 2's turn: all discards but the top one are shuffled (R17).",
        preset="quebec", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "10h 9h 8h", "Kc Qc 3c"], "to_move": 1, "upcard": "5h", "discard_pile": "rest",
                  "stock": "4d", "known": ["9s", "", ""], "seed": 5},
        actions=["draw", "discard 4d", "draw"], further=5, patience=20,
    ),
    Scenario(
        name="reshuffle_in_the_last_lap", text="The same in a last lap; what is public of the hands stays known (R17).",
        preset="kawu", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "10h 9h 8h", "Kc Qc 3c"], "knocker": 0, "to_move": 1, "upcard": "5h",
                  "discard_pile": "rest", "stock": "4d", "seed": 6},
        actions=["draw", "discard 4d"], further=2,
    ),
    Scenario(
        name="last_call_by_pass",
        text="The stock is empty at the start of seat 2's turn; its pass ends the round, with no knocker (R17).",
        preset="classic", changes={"num_players": 4},
        position={"hands": ["9s 8s 2d", "10h 9h 8h", "Kc Qc 3c", "7d 6d 3h"], "to_move": 1, "upcard": "5h",
                  "discard_pile": "rest", "stock": "4d"},
        actions=["draw", "discard 4d", "pass"],
    ),
    Scenario(
        name="last_call_by_knock",
        text="A knock ends it as well, and seat 3 is judged as the knocker: two lives (R16, R17).",
        preset="classic", changes={"num_players": 4},
        position={"hands": ["9s 8s 2d", "10h 9h 8h", "Kc Qc 3c", "7d 6d 3h"], "to_move": 2, "upcard": "5h",
                  "discard_pile": "rest", "stock": "4d"},
        actions=["draw", "discard 4d", "knock"],
    ),
    Scenario(
        name="last_call_after_a_knock",
        text="The stock runs out in a last lap: passing is allowed in it, in rules that know no passing too (R17).",
        preset="four_card", changes={"num_players": 3, "may_pass_on_last_turn": False},
        position={"hands": ["9s 8s 2d 2h", "10h 9h 8h 3d", "Kc Qc 3c 3s"], "knocker": 0, "to_move": 1, "upcard": "5h",
                  "discard_pile": "rest", "stock": "4c"},
        actions=["draw", "discard 3d", "take", "discard 3d"],
    ),
    Scenario(
        name="round_limit",
        text="Nobody knocks: after two turns for each seat still in there is a showdown without knocker (R50).",
        preset="quebec", changes={"num_players": 4, "round_limit": 2}, opening={"seed": 0, "lives": [3, 3, None, 3]},
        further=26, patience=1000,
    ),
    Scenario(
        name="round_limit_in_the_last_lap",
        text="Seat 1 has knocked and seat 0's last turn is one too many: seat 1 is judged as no knocker (R50).",
        preset="quebec", changes={"num_players": 3, "round_limit": 2},
        position={"hands": ["10h 9h 8h", "9s 8s 2d", "Kc Qc 3c"], "knocker": 1, "to_move": 2, "dealer": 2,
                  "turns": [2, 2, 1], "upcard": "5h", "stock": "4d"},
        actions=["draw", "discard 4d"],
    ),
    Scenario(
        name="grace", text="A seat loses its last life, plays on in grace, and is out with its next loss (R21).",
        preset="quebec", changes={"num_players": 2, "starting_lives": 1}, opening={"seed": 0}, further=60,
    ),
    Scenario(
        name="kawu_void", text="A tied knock would put all three out, which have no grace: nobody pays (R16, R23).",
        preset="kawu", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "9h 8h 2c", "9d 8d 3h"], "knocker": 0, "to_move": 2, "lives": [2, 1, 1],
                  "upcard": "5h", "stock": "4d"},
        actions=["draw", "discard 4d"], further=2,
    ),
    Scenario(
        name="playoff_with_three", text="Three seats would go out together: a playoff finds the winner (R23).",
        preset="classic", changes={"num_players": 4},
        position={"hands": ["9s 8s 2d", "9h 8h 2c", "", "9d 8d 3h"], "to_move": 0, "lives": [0, 0, None, 0],
                  "upcard": "5h", "discard_pile": "rest", "seed": 0},
        actions=["pass"], further=80, patience=2,
    ),
    Scenario(
        name="playoff_without_buy_in", text="Who loses a playoff is out and is not asked to buy in (R23, R24).",
        preset="buy_in", changes={"num_players": 2},
        position={"hands": ["9s 8s 2d", "9h 8h 2c"], "to_move": 0, "lives": [0, 0], "upcard": "5h",
                  "discard_pile": "rest", "seed": 0},
        actions=["pass"], further=40, patience=2,
    ),
    Scenario(
        name="buy_in", text="Two seats go out together and are asked in turn: one buys in, one declines (R24).",
        preset="buy_in", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "9h 8h 2c", "10d 9d 8d"], "to_move": 0, "dealer": 1, "lives": [0, 0, 2],
                  "upcard": "5h", "discard_pile": "rest", "seed": 0},
        actions=["pass", "decline", "buy in"], further=60, patience=2,
    ),
    Scenario(
        name="knocker_lowest", text="The knocker is strictly lowest and loses two lives (R16).",
        preset="quebec", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "10h 9h 8h", "Ks Qs 5s"], "knocker": 0, "to_move": 2, "upcard": "4d",
                  "stock": "4c"},
        actions=["draw", "discard 4c"],
    ),
    Scenario(
        name="knocker_tied_spared", text="A knocker level at the bottom is spared; the other pays (R16).",
        preset="quebec", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "9h 8h 2c", "Ks Qs 5s"], "knocker": 0, "to_move": 2, "upcard": "4d",
                  "stock": "4c"},
        actions=["draw", "discard 4c"],
    ),
    Scenario(
        name="knocker_tied_doubled", text="In kawu a knocker level at the bottom loses two, the other one (R16).",
        preset="kawu", changes={"num_players": 3},
        position={"hands": ["9s 8s 2d", "9h 8h 2c", "Ks Qs 5s"], "knocker": 0, "to_move": 2, "upcard": "4d",
                  "stock": "4c"},
        actions=["draw", "discard 4c"],
    ),
    Scenario(
        name="three_of_a_kind", text="Three eights are 30½: the knocker's 30 of one suit is lowest (R3).",
        preset="quebec", changes={"num_players": 2},
        position={"hands": ["8s 8h 2d", "Kc Qc 10c"], "to_move": 0, "knocker": 1, "upcard": "8d"},
        actions=["take", "discard 2d"],
    ),
    Scenario(
        name="41_with_four_cards", text="With hands of four a total of 31 ends nothing and a 41 does (R4, R15).",
        preset="four_card", changes={"num_players": 2},
        position={"hands": ["As Ks Qs 5d", "10h 9h 8h 2c"], "to_move": 0, "upcard": "4d", "stock": "2d 3d 10s"},
        actions=["draw", "discard 5d", "draw", "discard 3d", "draw", "discard 2d"],
    ),
    Scenario(
        name="points_tie_with_the_knocker", text="Three seats are level at the top: all but the knocker score (R31).",
        preset="quebec_points", changes={"num_players": 4, "target_points": 2},
        position={"hands": ["Ks Qs 5s", "Kh Qh 5h", "9s 8s 2d", "Kd Qd 5d"], "knocker": 1, "to_move": 0, "upcard": "4d",
                  "stock": "4c", "points": [1, 1, 0, 1]},
        actions=["draw", "discard 4c"], further=8, patience=1,
    ),
)  # fmt: skip

_EXCHANGE: Final = (
    Scenario(
        name="all_equal", text="All hands are equal: the round is void (R45).",
        preset="exchange", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "9h 8h 7c", "9d 8d 7s"], "table": "Kc 7h 6d", "dealer": 0, "to_move": 1},
        actions=["pass", "pass", "pass"], further=2,
    ),
    Scenario(
        name="lock", text="Seat 1 swaps all three: when its turn comes again it can only pass (R43).",
        preset="exchange", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "9h 8d 7c", "Ah 7h 6s"], "table": "Kc Qc 8c", "dealer": 0, "to_move": 1},
        actions=["swap all", "take table 9h", "leave 6s", "take table 8d", "leave 7d", "pass", "pass", "pass"],
    ),
    Scenario(
        name="dealer_refuses",
        text="The dealer puts the first three on the table and takes the next three unseen (R40).",
        preset="exchange", changes={"num_players": 4},
        position={"hands": ["", "9s 8h 7d", "", ""], "dealer": 1, "to_move": 1, "stock": "Kc Qc 8c", "turns": 0},
        actions=["refuse"], further=20,
    ),
    Scenario(
        name="31_by_exchange", text="A 31 made by a swap is a showdown: the lowest hand pays (R44).",
        preset="exchange", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "Ac Qc 8h", "Kd Qd 7c"], "table": "Kc 7h 9d", "dealer": 0, "to_move": 1},
        actions=["take table Kc", "leave 8h"],
    ),
    Scenario(
        name="refresh", text="A lap of passes puts three new cards on the table (R48).",
        preset="schwimmen", changes={"num_players": 4},
        position={"hands": ["9s 8s 7d", "Kc Qc 8c", "9h 8h 7c", "Ad 10d 7s"], "table": "10c 7h 9d", "dealer": 0,
                  "to_move": 1, "stock": "Js Jh 10h"},
        actions=["pass", "pass", "pass", "pass"], further=12, patience=9,
    ),
    Scenario(
        name="table_exhausted", text="A lap of passes with one card left in the stock: a showdown nobody closed (R48).",
        preset="schwimmen", changes={"num_players": 4, "ranks": "JQKA"},
        position={"hands": ["As Ks Jh", "Ah Kh Jc", "Kc Qc Ad", "Kd Qd Ac"], "table": "Qs Js Qh", "dealer": 0,
                  "to_move": 1},
        actions=["pass", "pass", "pass", "pass"],
    ),
    Scenario(
        name="close_when_locked", text="Where closing is separate a locked seat may close, and the lap begins (R48).",
        preset="schwimmen", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "Kc Qc 8c", "9h 8h 7c"], "table": "10c 7h 9d", "dealer": 0, "to_move": 1,
                  "locked": [1]},
        actions=["close", "take table 9d", "leave 7c", "pass"],
    ),
    Scenario(
        name="three_aces", text="Three aces are 33: everyone else loses a life (R48).",
        preset="schwimmen", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "As Ah 8c", "Kd Qd 10d"], "table": "Ad 7h 9d", "dealer": 0, "to_move": 1},
        actions=["take table Ad", "leave 8c"],
    ),
    Scenario(
        name="three_aces_and_31_at_the_deal", text="Three aces and a 31 in one deal: the 31 pays as well (R48).",
        preset="schwimmen", changes={"num_players": 3},
        position={"hands": ["9s 8s 7d", "As Ah Ad", "Ac Kc 10c"], "table": "Kd 7h 9d", "dealer": 0, "to_move": 1,
                  "turns": 0},
    ),
)  # fmt: skip

_EPISODES: Final = (
    Scenario(
        name="truncated", text="A game with no winner after two rounds is truncated: no reward is made up (R50).",
        preset="quebec", changes={"num_players": 2, "max_rounds": 2}, opening={"seed": 0}, further=40,
    ),
    Scenario(
        name="two_rounds_in_one_step", text="A round ends and the next is over at the deal: one step, two rounds (R9).",
        preset="classic", changes={"num_players": 4, "ranks": "TJQKA"}, opening={"seed": 8}, further=12,
    ),
    Scenario(
        name="dealt_again", text="The first deal would end the game at once: another takes its place (R9).",
        preset="quebec", changes={"num_players": 2, "ranks": "TJQKA"}, opening={"seed": 58, "lives": [0, 0]}, further=2,
    ),
    Scenario(
        name="single_round", text="An episode of one round, with a seat that never was in and one in grace.",
        preset="classic", changes={"num_players": 4},
        opening={"seed": 1, "lives": [3, None, 0, 1], "dealer": 2, "single_round": True}, further=40,
    ),
)  # fmt: skip

SCENARIOS: Final = {scenario.name: scenario for scenario in (*_PRESETS, *_DRAWING, *_EXCHANGE, *_EPISODES)}
"""Every game that is written down, by the name of its file."""
