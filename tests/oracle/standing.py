"""Lives, going out, playoffs and buying in: what lasts from round to round (R20 to R24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Standing:
    """How every seat stands in the game."""

    lives: list[int]
    """0 for a seat in grace, for one that is out (but by a playoff: R23), and in the points game."""
    points: list[int]
    buy_ins: list[int]
    in_game: list[bool]

    def seats_in(self) -> list[int]:
        """Return the seats that are not out."""
        return [seat for seat, is_in in enumerate(self.in_game) if is_in]


def first_standing(rules: Any, lives: Sequence[int | None] | None) -> Standing:
    """R20: everybody starts with the same lives, unless others are given.

    Args:
        rules: The rules.
        lives: By seat: None or -1 is out, 0 in grace, or out where there is no grace.

    Raises:
        ValueError: If they do not fit the rules (the points game has none), or fewer than two seats would be in.
    """
    seats = rules.num_players
    if rules.scoring == "points":
        if lives is not None:
            raise ValueError("nobody has lives in the points game (R30)")
        return Standing([0] * seats, [0] * seats, [0] * seats, [True] * seats)
    given = [rules.starting_lives] * seats if lives is None else list(lives)
    if len(given) != seats:
        raise ValueError(f"{len(given)} lives for {seats} seats")
    in_game = [count is not None and (count > 0 or (count == 0 and bool(rules.grace))) for count in given]
    if sum(in_game) < 2:
        raise ValueError(f"with lives {given} fewer than two seats are in")
    kept = [count if count is not None and count > 0 else 0 for count in given]
    return Standing(kept, [0] * seats, [0] * seats, in_game)


def goes_out(rules: Any, lives: int, loss: int) -> bool:
    """R21: without grace at no life left; with grace by a loss with no life left, never by one of the last life."""
    return lives == 0 if rules.grace else lives - loss <= 0


def charge(
    rules: Any, standing: Standing, seats: Sequence[int], losses: Mapping[int, int]
) -> tuple[str, dict[int, int], list[int]]:
    """R21, R22, R23: take lives outside a playoff; in the exchange game not all can go out at once (R47).

    Returns:
        The outcome ("charged", "void" or "playoff"), what each seat was charged, and who went out.
    """
    out = [seat for seat in seats if seat in losses and goes_out(rules, standing.lives[seat], losses[seat])]
    if len(out) == len(seats):  # R23: nobody is charged anything
        return ("playoff" if rules.all_out == "playoff" else "void"), {}, []
    for seat, loss in losses.items():
        standing.lives[seat] = max(0, standing.lives[seat] - loss)
    for seat in out:
        standing.in_game[seat] = False
    return "charged", dict(losses), out


def charge_in_playoff(
    standing: Standing, seats: Sequence[int], losses: Mapping[int, int]
) -> tuple[str, dict[int, int], list[int]]:
    """R23: whoever loses a playoff deal is out, charged 1; if that is everybody, another one follows.

    Lives are untouched, those of a seat that goes out too: it shows without grace only, where a seat may come into a
    playoff with lives.
    """
    out = [seat for seat in seats if seat in losses]
    if len(out) == len(seats):
        return "playoff", {}, []
    for seat in out:
        standing.in_game[seat] = False
    return "charged", dict.fromkeys(out, 1), out


def may_buy_in(rules: Any, standing: Standing, seat: int) -> bool:
    """R24: whether a seat that has gone out has a buy-in left."""
    return standing.buy_ins[seat] < int(rules.buy_ins)


def buy_in(rules: Any, standing: Standing, seat: int) -> None:
    """R24: full lives and the same seat, for another stake."""
    standing.buy_ins[seat] += 1
    standing.lives[seat] = rules.starting_lives
    standing.in_game[seat] = True
