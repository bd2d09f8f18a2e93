"""The generated pages `docs/observation.md` and `docs/actions.md`, written from the declarations that the code uses."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from trente_env.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, card_text
from trente_env.core.actions import (
    ACTION_MEANINGS,
    ACTION_NAMES,
    BUY_IN,
    CLOSE,
    DECLINE,
    DRAW,
    KEEP,
    KNOCK,
    NUM_ACTIONS,
    PASS,
    REFUSE,
    SWAP_ALL,
    TAKE,
)
from trente_env.core.layout import (
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_NAMES,
    PHASE_OVER,
)
from trente_env.encoding.sections import OBSERVED_RULES, ObservationSpec, observation_spec, state_spec
from trente_env.files import write_whole
from trente_env.rules import MAX_PLAYERS, Rules

CARD_PHASES: Final = {
    PHASE_DISCARD: ("discard", "discard a card of the hand; not always the upcard just taken (R11, R12)"),
    PHASE_EXCHANGE: ("take table", "take a card from the table (R41)"),
    PHASE_LEAVE: ("leave", "leave a card of the hand on the table, but not the one just taken (R41)"),
}
"""What a card's action does, by phase: its verb and its meaning."""
ACTION_PHASES: Final = {
    DRAW: (PHASE_DRAW,),
    TAKE: (PHASE_DRAW,),
    KNOCK: (PHASE_DRAW,),
    PASS: (PHASE_DRAW, PHASE_EXCHANGE),
    SWAP_ALL: (PHASE_EXCHANGE,),
    KEEP: (PHASE_DEALER_CHOICE,),
    REFUSE: (PHASE_DEALER_CHOICE,),
    CLOSE: (PHASE_EXCHANGE,),
    BUY_IN: (PHASE_BUY_IN,),
    DECLINE: (PHASE_BUY_IN,),
}
"""Phases in which each of the other actions can be legal."""
PHASE_MEANINGS: Final = {
    PHASE_DRAW: "start of a turn in the drawing game",
    PHASE_DISCARD: "second decision of that turn, with one card too many",
    PHASE_DEALER_CHOICE: "exchange game: the dealer looks at the first three cards",
    PHASE_EXCHANGE: "start of a turn in the exchange game",
    PHASE_LEAVE: "second decision of that turn, with one card too many",
    PHASE_BUY_IN: "a seat that went out is asked, between two rounds",
    PHASE_OVER: "the game is over: nothing is legal",
}
TABLE_SIZES: Final = tuple(range(2, MAX_PLAYERS + 1))
_NOTE: Final = (
    "Written by `make docs` from the declarations in the code; a test fails when this page is old. Do not edit."
)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _size_text(per_seat: int, fixed: int) -> str:
    """Write how a section's size depends on the seats: "52", "n", "8n + 136"."""
    parts = [f"{per_seat if per_seat > 1 else ''}n"] if per_seat else []
    return " + ".join(parts + ([str(fixed)] if fixed else []))


def _sections(spec: ObservationSpec) -> str:
    """Write a layout's sections: size, range, meaning."""
    return _table(
        ("section", "size", "values", "meaning"),
        (
            (
                f"`{section.name}`",
                _size_text(section.per_seat, section.fixed),
                f"{section.low} to {section.high}",
                section.meaning,
            )
            for section in spec.sections
        ),
    )


def _codes() -> str:
    """Write the numbers of the rules that are words: "`play_style` is 0 draw, 1 exchange"."""
    defaults = {field.name: field.default for field in dataclasses.fields(Rules)}
    return "; ".join(
        f"`{name}` is " + ", ".join(f"{code} {option}" for code, option in enumerate(type(default)))
        for name in OBSERVED_RULES
        if isinstance(default := defaults[name], StrEnum)
    )


def _offsets(specs: Sequence[ObservationSpec]) -> str:
    """Write where each section begins at each size of table, and how many numbers there are in all."""
    rows: list[list[object]] = [
        [f"`{section.name}`", *(spec.place(section.name).start for spec in specs)] for section in specs[0].sections
    ]
    rows.append(["**in all**", *(f"**{spec.size}**" for spec in specs)])
    return _table(("first number of", *(f"n = {spec.seats}" for spec in specs)), rows)


def observation_page() -> str:
    """Return `docs/observation.md`."""
    return f"""# Observation and state

{_NOTE}

## The observation

A vector of small integers, int8 (or, with `dtype="float32"`, the same numbers cast). It is made of named sections, one
behind the other, for a table of n seats: the players, or more places if `max_players` pads it. Everything is relative
to the observing seat: in a per-seat section place 0 is the observer, place 1 the next seat clockwise, and so on; places
of seats that do not exist are 0. It holds what that seat knows with perfect memory of the round, and nothing else,
whoever is to move.

A card's id is suit times 13 plus rank: suits clubs, diamonds, hearts, spades; ranks two to ten, jack, queen, king, ace
(see [actions.md](actions.md)). Values of hands are in half points: 30½ is 61.

```python
spec = trente_env.encoding.sections.observation_spec(4)   # an environment has it as env.spec
row[spec["lives"]]                                        # one section
spec.split(row)                                           # all of them by name, as views of the same memory
```

{_sections(observation_spec(2))}

In `rules`, yes is 1 and no is 0, and of those that are words {_codes()}.

### Where they begin

{_offsets([observation_spec(seats) for seats in TABLE_SIZES])}

## The state

`state()` is the whole game for a centralised critic, hidden cards included: never give it to a policy that plays. Its
per-seat sections count from seat 0, not from an observer; `trente_env.encoding.state.state_spec(n)` has its layout.

{_sections(state_spec(2))}

### Where they begin

{_offsets([state_spec(seats) for seats in TABLE_SIZES])}
"""


def actions_page() -> str:
    """Return `docs/actions.md`."""
    cards = _table(
        ("suit", *(card_text(rank)[:-1] for rank in range(NUM_RANKS))),
        (
            (suit, *range(NUM_RANKS * place, NUM_RANKS * (place + 1)))
            for place, suit in zip(range(NUM_SUITS), ("clubs", "diamonds", "hearts", "spades"), strict=True)
        ),
    )
    others = _table(
        ("id", "name", "meaning", "phases"),
        (
            (
                action,
                f"`{name}`",
                ACTION_MEANINGS[action],
                ", ".join(PHASE_NAMES[phase] for phase in ACTION_PHASES[action]),
            )
            for action, name in ACTION_NAMES.items()
        ),
    )
    verbs = _table(
        ("phase", "name", "meaning"),
        ((PHASE_NAMES[phase], f"`{verb} 7h`", meaning) for phase, (verb, meaning) in CARD_PHASES.items()),
    )
    phases = _table(
        ("phase", "whose decision"), ((PHASE_NAMES[phase], meaning) for phase, meaning in PHASE_MEANINGS.items())
    )
    return f"""# Actions

{_NOTE}

One space of {NUM_ACTIONS} actions for every rule set. A turn of the drawing game is two decisions of the same seat,
draw or take and then discard; so is a swap of the exchange game, take and then leave. Clauses (R11) are those of
[rules.md](rules.md).

## Cards: 0 to {NUM_CARDS - 1}

{cards}

What a card's action does depends on the phase:

{verbs}

## Others: {NUM_CARDS} to {NUM_ACTIONS - 1}

{others}

Which of them are legal now, the action mask says. By name they are given to `Game.apply`: `game.apply("discard 7h")`.

## Phases

{phases}
"""


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {"observation.md": observation_page(), "actions.md": actions_page()}


def write_docs(folder: Path | str) -> list[Path]:
    """Write the generated pages into a folder.

    Returns:
        The files written.
    """
    written = []
    for name, text in pages().items():
        path = Path(folder) / name
        write_whole(path, text)
        written.append(path)
    return written
