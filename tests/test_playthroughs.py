"""The golden playthroughs are what the code plays now, and between them they hold everything that can happen."""

from __future__ import annotations

import dataclasses
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.playthrough import COMMAND, Scenario, lines, steps
from eval.playthrough_scenarios import SCENARIOS
from tests.happenings import EVENTS, all_steps
from trente_env import PRESETS, Game, GameBatch, Rules, TrenteError
from trente_env._jit import JIT_ENABLED
from trente_env.batch import BatchArrays
from trente_env.core.actions import ACTION_NAMES
from trente_env.core.layout import END_NAMES, EVENT_NAMES, OUTCOME_NAMES, PHASE_NAMES
from trente_env.core.rewards import REWARD_KINDS
from trente_env.encoding.sections import SECTIONS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(__file__).resolve().parent / "playthroughs"
HAPPENED = ("== ", "round ", "seat ", "legal: ", "action: ", "reward")
"""Beginnings of the lines that tell the game, and not its rules or what is observed of it."""


def on_disk(name: str) -> list[str]:
    """Return the lines of a playthrough as it is kept."""
    path = FOLDER / f"{name}.txt"
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n") if path.exists() else []


def difference(kept: Sequence[str], played: Sequence[str]) -> str | None:
    """Return the first line that differs, with what stands before it and the decision it belongs to; or None."""
    for number, (old, new) in enumerate(itertools.zip_longest(kept, played, fillvalue="(nothing)")):
        if old != new:
            decision = next((line for line in reversed(played[: number + 1]) if line.startswith("== ")), "the head")
            before = [f"      {line}" for line in played[max(0, number - 3) : number]]
            return "\n".join(
                [f"line {number + 1} differs, under '{decision}':", *before, f"kept: {old}", f"now:  {new}"]
            )
    return None


def happened(scenario: Scenario) -> list[str]:
    """Return the lines that tell what happens in a game; an action that is refused ends them."""
    told: list[str] = []
    try:
        written = lines(scenario)
    except TrenteError as error:
        return [str(error)]
    start = next(number for number, line in enumerate(written) if line.startswith("observation: "))
    told += (line for line in written[start + 1 :] if line.startswith(HAPPENED))
    return told


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_playthrough_is_played_as_it_is_kept(name: str) -> None:
    """Every line of every decision is the one on file: state, mask, observation, rewards, results."""
    found = difference(on_disk(name), lines(SCENARIOS[name]))
    if found is not None:
        pytest.fail(f"{name}.txt, {found}\nIf it should: `{COMMAND}`, and read the diff.", pytrace=False)


def test_every_file_is_of_a_scenario() -> None:
    """The folder holds one file a scenario, no other, and stays small enough to be read."""
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in SCENARIOS}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_500_000


def test_the_command_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m eval playthroughs` writes every file as it is kept, byte for byte, and names it."""
    main(["playthroughs", "--folder", str(tmp_path)])
    printed = capsys.readouterr().out.splitlines()
    assert printed == [str(tmp_path / f"{name}.txt") for name in SCENARIOS]
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()


def test_the_command_wants_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the folder is missing the command says so and leaves with 2."""
    with pytest.raises(SystemExit) as left:
        main(["playthroughs", "--folder", str(tmp_path / "none")])
    assert left.value.code == 2
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.skipif(not JIT_ENABLED, reason="this process is the plain path")
def test_the_plain_path_writes_the_same(tmp_path: Path) -> None:
    """Uncompiled, the same kernels write the same files."""
    subprocess.run(
        [sys.executable, "-m", "eval", "playthroughs", "--folder", str(tmp_path)],
        cwd=ROOT, env=os.environ | {"TRENTE_JIT": "0"}, check=True, capture_output=True,
    )  # fmt: skip
    for name in SCENARIOS:
        assert (tmp_path / f"{name}.txt").read_bytes() == (FOLDER / f"{name}.txt").read_bytes()


# What is seen when something changes.

CHANGED_RULES: dict[str, tuple[str, Any]] = {
    "play_style": ("preset_quebec", "exchange"),
    "num_players": ("preset_quebec", 4),
    "ranks": ("preset_italian40", "23456789TJQKA"),
    "suits": ("preset_quebec", "cdh"),
    "hand_size": ("preset_four_card", 3),
    "three_of_a_kind": ("three_of_a_kind", 60),
    "three_aces": ("three_aces", 0),
    "may_knock_on_first_turn": ("preset_classic", True),
    "may_pass_on_last_turn": ("31_in_the_last_lap_counts_only", False),
    "may_return_upcard": ("preset_classic", False),
    "blitz_after_knock": ("31_in_the_last_lap_counts_only", True),
    "failed_knock_penalty": ("knocker_lowest", 1),
    "knocker_tie": ("knocker_tied_doubled", "spared"),
    "stock_exhaustion": ("last_call_by_pass", "reshuffle"),
    "scoring": ("31_in_the_last_lap_points", "lives"),
    "starting_lives": ("knocker_lowest", 2),
    "grace": ("grace", False),
    "all_out": ("playoff_with_three", "void"),
    "buy_ins": ("preset_buy_in", 0),
    "target_points": ("preset_quebec_points", 2),
    "separate_close": ("refresh", False),
    "round_limit": ("round_limit", 3),
    "max_rounds": ("truncated", 3),
}
"""For each field of `Rules` a playthrough that hangs on it, and another value."""


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules)])
def test_a_changed_rule_is_seen(field: str) -> None:
    """With any field of the rules changed some game goes another way, apart from the rules being written down."""
    name, value = CHANGED_RULES[field]
    scenario = SCENARIOS[name]
    changed = dataclasses.replace(scenario, changes={**scenario.changes, field: value})
    assert getattr(changed.rules, field) != getattr(scenario.rules, field)
    assert difference(happened(scenario), happened(changed)) is not None


def spoil_rewards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every seat the next one's reward."""
    rewards = Game.rewards
    monkeypatch.setattr(Game, "rewards", lambda game, kind: (*rewards(game, kind)[1:], rewards(game, kind)[0]))


def spoil_look(monkeypatch: pytest.MonkeyPatch, spoil: Callable[[BatchArrays], None]) -> None:
    """Change what a look at the batch writes."""
    look = GameBatch.look

    def spoiled(batch: GameBatch, out: BatchArrays) -> None:
        look(batch, out)
        spoil(out)

    monkeypatch.setattr(GameBatch, "look", spoiled)


def spoil_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make passing legal for everyone."""
    spoil_look(monkeypatch, lambda out: out.masks_BA.__setitem__((0, 55), 1))


def spoil_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add one to the last number."""
    spoil_look(monkeypatch, lambda out: out.observations_BS.__setitem__((0, -1), out.observations_BS[0, -1] + 1))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [(spoil_rewards, "kept: reward lives"), (spoil_mask, "kept: legal: "), (spoil_observation, "kept:     rules: ")],
)
def test_a_fault_is_seen_and_placed(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None], told: str
) -> None:
    """A wrong reward, mask bit or observed number is told with its line, the kept one and the decision."""
    spoil(monkeypatch)
    found = difference(on_disk("knocker_lowest"), lines(SCENARIOS["knocker_lowest"]))
    assert found is not None
    assert told in found
    assert "under '== " in found
    assert "\nnow:  " in found


def test_a_missing_or_longer_file_is_seen() -> None:
    """A file that is not there differs from its first line on; one that goes on differs where it should end."""
    played = lines(SCENARIOS["knocker_lowest"])
    assert "line 1 differs" in str(difference(on_disk("no such playthrough"), played))
    assert f"line {len(played) + 1} differs" in str(difference([*played, "more"], played))
    assert difference(played, played) is None


# What is in them.


@pytest.fixture(scope="module")
def seen() -> dict[str, set[str]]:
    """Return, for every event, the playthroughs it occurs in."""
    found: dict[str, set[str]] = {event: set() for event in EVENTS}
    for name, scenario in SCENARIOS.items():
        for step in all_steps(scenario):
            for event, occurs in EVENTS.items():
                if occurs(step):
                    found[event].add(name)
    return found


@pytest.fixture(scope="module")
def told() -> str:
    """Return all files as one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir()))


@pytest.mark.parametrize("event", EVENTS)
def test_every_rare_event_occurs(seen: dict[str, set[str]], event: str) -> None:
    """Among the games each event occurs, told from the game and not from the name of the file."""
    assert seen[event]


def test_every_preset_is_played() -> None:
    """Every rule set has a game of 40 to 120 decisions under it, at tables of six sizes or more."""
    games = {name: [game for game, _ in steps(scenario)][-1] for name, scenario in SCENARIOS.items()}
    long = {name: game for name, game in games.items() if 40 <= game.num_decisions <= 120}
    assert {PRESETS[SCENARIOS[name].preset] for name in long} == set(PRESETS.values())
    assert len({game.rules.num_players for game in long.values()}) >= 6


def test_every_kind_of_thing_is_written(told: str) -> None:
    """Each end of a round, outcome, phase, action, public event, reward and section of the observation occurs."""
    wanted = {
        *(f" ended by {end}: " for end in set(END_NAMES) - {"none"}),
        *(f": {outcome}, R" for outcome in OUTCOME_NAMES),
        *(f" to move, {phase}\n" for phase in set(PHASE_NAMES) - {"OVER"}),
        *(f"\naction: {action} {name}\n" for action, name in ACTION_NAMES.items()),
        *(f" {event}" for event in EVENT_NAMES),
        *(f"\nreward {kind}: " for kind in REWARD_KINDS),
        *(f"\n    {section.name}: " for section in SECTIONS),
        " discard ", " take table ", " leave ", " wins\n", ": truncated\n", ": over\n",
    }  # fmt: skip
    assert {each for each in wanted if each not in told} == set()
