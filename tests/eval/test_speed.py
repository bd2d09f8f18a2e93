"""`python -m eval bench` and `cold-start`: what is measured, how it is put side by side, where it is written."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.report import Sheet
from eval.speed import bench, child, cold_start, first_step, layers, machine, memory, page, peers, plot
from eval.speed.bench import Figure
from eval.speed.cold_start import Wait
from eval.speed.layer import Lap, Layer, Replay
from trente_env import InvalidOptionError, preset

DOCS = Path(__file__).resolve().parents[2] / "docs"
QUEBEC = preset("quebec", num_players=4)
ORIGIN = {"command": "python -m eval bench", "git_commit": "0123456789abcdef", "git_is_clean": True}
FIGURE = Figure("GameBatch.step, batch 8", 8, 1, False, "CPU", 100.0, 90.0, 110.0, 80.0)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have little recorded of each layer."""
    small = {
        "AEC_DECISIONS": 100, "GAME_DECISIONS": 100, "BATCH_DECISIONS": 100, "LEARNER_DECISIONS": 100,
        "LEARNER_BATCH": 8, "FEWEST_STEPS": 2, "BURN_IN_STEPS": 5, "KERNEL_STEPS": 10, "KERNEL_GAMES": 4,
        "MATCH_DEALS": 10, "BATCH_SIZES": (1, 8),
    }  # fmt: skip
    for name, value in small.items():
        monkeypatch.setattr(layers, name, value)
    for name in ("LEDUC_DECISIONS", "GIN_DECISIONS"):
        monkeypatch.setattr(peers, name, 50)
    monkeypatch.setattr(cold_start, "import_wait", lambda **_: Wait(0.1, 0.2))


def lasting(cpu: float, wall: float, decisions: int = 10) -> Replay:
    """Return a record that always takes so many seconds."""

    class Fixed(Replay):
        def lap(self) -> Lap:
            return Lap(decisions, cpu, wall)

    return Fixed(lambda: decisions)


def test_bench_measures_every_layer(few: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All layers are measured in one run, on one thread and on two, beside the peers installed; the rest is named."""
    file = tmp_path / "bench.json"
    main(["bench", "--runs", "1", "--seconds", "0.001", "--players", "2", "--games", "0", "--json", str(file)])
    document = json.loads(file.read_text())
    names = [layer["layer"] for layer in document["layers"]]
    expected = [layer.name for layer in bench.layers(preset("quebec", num_players=2), "quebec", 0)]
    assert names == [name for name in expected if not name.startswith(tuple(document["missing"]))]
    assert [layer.name for layer in layers.our_layers(QUEBEC, "quebec", 0)] == [
        layer["layer"] for layer in document["layers"] if not layer["is_peer"]
    ]
    assert all(0 < layer["low"] <= layer["median"] <= layer["high"] for layer in document["layers"])
    assert {layer["clock"] for layer in document["layers"] if layer["threads"] == 2} == {"wall"}
    assert {layer["clock"] for layer in document["layers"] if layer["threads"] == 1} == {"CPU"}
    assert {layer["ratio_to_one_thread"] is None for layer in document["layers"] if layer["threads"] == 2} == {False}
    assert {"machine", "busy", "versions", "import", "command", "git_commit"} <= document.keys()
    printed = capsys.readouterr().out
    assert "decisions/s" in printed
    assert all(f"{name} is not installed" in printed for name in document["missing"])


def test_layers_can_be_chosen(few: None, tmp_path: Path) -> None:
    """`--only` measures the layers with a word in their names."""
    file = tmp_path / "bench.json"
    command = ["bench", "--runs", "1", "--seconds", "0.001", "--games", "0", "--only", "Game.apply", "--json"]
    main([*command, str(file)])
    assert [layer["layer"] for layer in json.loads(file.read_text())["layers"]] == [
        "Game.apply and mask (no observation)"
    ]


def test_a_missing_peer_is_named_and_nothing_is_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the peer there are no ratios to it, and the table says what to install."""

    def absent() -> Replay:
        raise ImportError

    monkeypatch.setattr(
        bench, "layers", lambda *_: [Layer(peers.PEER, absent, is_peer=True), Layer("ours", lambda: lasting(0.01, 1.0))]
    )
    monkeypatch.setattr(cold_start, "import_wait", lambda **_: Wait(0.1, 0.2))
    figures = bench.measure(QUEBEC, "quebec", runs=1, seconds=0.01, seed=0)
    assert [figure.layer for figure in figures.figures] == ["ours"]
    assert figures.figures[0].ratio is None
    assert figures.figures[0].median == pytest.approx(1_000)
    assert any("trente-env[bench]" in note for note in bench.sheet(figures).notes)


def test_what_of_ours_cannot_be_imported_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a peer may be missing: a layer of ours that cannot be made does not vanish from the table."""

    def broken() -> Replay:
        raise ImportError("broken")

    monkeypatch.setattr(bench, "layers", lambda *_: [Layer("ours", broken)])
    with pytest.raises(ImportError, match="broken"):
        bench.measure(QUEBEC, "quebec", runs=1, seconds=0.01, seed=0)


def test_ratios_are_to_the_peer_the_slowest_and_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one thread CPU seconds count, on two those on the wall, and the two threads are compared by the wall alone."""
    measured = {
        "slow": lasting(0.10, 0.1), "fast": lasting(0.01, 0.04), "fast, 2 threads": lasting(0.02, 0.02),
        peers.PEER: lasting(0.2, 0.2),
    }  # fmt: skip
    made = [
        Layer(name, lambda name=name: measured[name], threads=2 if "2" in name else 1, is_peer=name == peers.PEER)
        for name in measured
    ]
    monkeypatch.setattr(bench, "layers", lambda *_: made)
    monkeypatch.setattr(cold_start, "import_wait", lambda **_: Wait(0.1, 0.2))
    figures = {each.layer: each for each in bench.measure(QUEBEC, "quebec", runs=3, seconds=0.01, seed=0).figures}
    assert [figures[name].median for name in measured] == pytest.approx([100, 1_000, 500, 50])
    assert [figures[name].ratio for name in measured] == pytest.approx([2, 20, 10, 1])
    assert [figures[name].ratio_to_slowest for name in measured] == pytest.approx([1, 10, 5, 0.5])
    assert [figures[name].ratio_to_one_thread for name in measured] == [None, None, pytest.approx(2), None]


def test_memory_is_measured_in_a_process_of_its_own() -> None:
    """The record's size is the engine's, and what is resident is at least that, more with the arrays of a step."""
    weight = memory.weigh("quebec", 4, 20_000)
    assert weight.games == 20_000
    assert weight.record_bytes == memory.GAME.itemsize
    if weight.batch_bytes is not None and weight.total_bytes is not None:
        assert weight.record_bytes <= weight.batch_bytes < weight.record_bytes + 500 < weight.total_bytes
    assert weight.build_cpu > 0
    assert weight.step_cpu > 0
    assert f"{weight.record_bytes} bytes" in str(weight)


def test_a_failing_process_is_told_in_one_line() -> None:
    """What goes wrong in a process of its own is said by its last line."""
    with pytest.raises(InvalidOptionError, match=r"failed there: KeyError: 'Nothing'"):
        child.run_child("eval.speed.first_step", "step_here", ["Nothing"])


@pytest.mark.parametrize("what", sorted(first_step.STARTS))
def test_first_steps_are_steps(what: str) -> None:
    """Each start that is timed imports what it says and takes a step of it."""
    times = first_step.step_here(what)
    assert set(times) == {"import_cpu", "import_wall", "step_cpu", "step_wall"}
    assert times["step_wall"] > 0


def test_cold_start_is_measured_empty_and_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run begins with an empty cache of its own, and starts again with what that left."""
    seen: list[tuple[str, bool]] = []

    def start(_module: str, _function: str, arguments: list[str], environment: dict[str, str]) -> dict[str, float]:
        cache = Path(environment["TRENTE_CACHE_DIR"])
        is_warm = any(cache.iterdir())
        (cache / "code").touch()
        seen.append((arguments[0], is_warm))
        step = 1.0 if is_warm else 8.0
        return {"import_cpu": 0.25, "import_wall": 0.5, "step_cpu": step, "step_wall": 2 * step}

    monkeypatch.setattr(cold_start, "run_child", start)
    file = tmp_path / "start.json"
    main(["cold-start", "--runs", "2", "--json", str(file), "--markdown"])
    assert seen == [(what, is_warm) for what in first_step.STARTS for _ in range(2) for is_warm in (False, True)]
    waits = json.loads(file.read_text())["waits"]
    assert [each["what"] for each in waits] == list(first_step.STARTS)
    assert waits[0]["cold"] == {"cpu": 8.0, "wall": 16.0}
    assert waits[0]["warm"] == {"cpu": 1.0, "wall": 2.0}
    assert "| Game | 0.25 s (0.50 s) | 8.00 s (16.00 s) | 1.00 s (2.00 s) |" in capsys.readouterr().out


def test_the_machine_says_how_busy_it_is() -> None:
    """The host's share and the others' are shares; what is not known is said so."""
    busy = machine.Watch().read()
    assert busy.others is None or 0 <= busy.others <= 1
    assert busy.steal is None or 0 <= busy.steal <= 1
    assert str(machine.Busyness(1.0, 2.0, 0.25, 0.5)).endswith("took 25% of the cores' time, the host 50%.")
    assert "not known" in str(machine.Busyness(None, None, None, None))


def test_a_table_replaces_the_one_before(tmp_path: Path) -> None:
    """Between its markers alone, the page holds command, date, commit, table and picture of the last run."""
    begin, end = page._markers("bench")
    (tmp_path / "results.md").write_text(f"above\n\n{begin}\nold\n{end}\n\nbelow\n")
    table = Sheet("title", ("layer", "rate"), (("ours", "1"),))
    page.write_block(tmp_path, "bench", table, ORIGIN, picture="![picture](speed.svg)")
    first = (tmp_path / "results.md").read_text()
    assert first.startswith("above\n\n")
    assert first.endswith("\n\nbelow\n")
    block = page.block_of(first, "bench")
    assert "old" not in block
    for part in ("    python -m eval bench", "commit 0123456789.", "| ours | 1 |", "![picture](speed.svg)"):
        assert part in block
    page.write_block(tmp_path, "bench", table, ORIGIN | {"git_is_clean": False}, picture="![picture](speed.svg)")
    assert "commit 0123456789, with changes." in (tmp_path / "results.md").read_text()
    page.write_block(tmp_path, "bench", table, ORIGIN, picture="![picture](speed.svg)")
    assert (tmp_path / "results.md").read_text() == first


def test_a_page_without_a_place_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without markers nothing is measured and nothing written."""
    (tmp_path / "results.md").write_text("mine\n")
    with pytest.raises(SystemExit):
        main(["bench", "--docs", str(tmp_path)])
    assert "has no place for the table" in capsys.readouterr().err
    assert (tmp_path / "results.md").read_text() == "mine\n"


def test_the_plot_shows_every_thread_count_and_peer(tmp_path: Path) -> None:
    """Batches are lines by threads, peers level lines; the same figures make the same file."""
    pytest.importorskip("matplotlib")
    figures = [
        FIGURE,
        replace(FIGURE, layer="GameBatch.step, batch 64", batch=64, median=300.0, low=250.0, high=310.0),
        replace(FIGURE, layer="GameBatch.step, batch 8, 2 threads", threads=2, clock="wall"),
        replace(FIGURE, layer=peers.PEER, batch=None, is_peer=True),
    ]
    plot.draw(figures, tmp_path / "one.svg")
    plot.draw(figures, tmp_path / "two.svg")
    drawn = (tmp_path / "one.svg").read_text()
    for text in ("1 thread (CPU time)", "2 threads (wall time)", peers.PEER, "decisions per second"):
        assert text in drawn
    assert drawn == (tmp_path / "two.svg").read_text()
    with pytest.raises(InvalidOptionError, match="no batch was measured"):
        plot.draw(figures[-1:], tmp_path / "three.svg")


def test_the_table_in_the_docs_has_the_layers_that_are_measured() -> None:
    """docs/results.md lists our layers as they are now, the peers that were measured, the memory and the machine."""
    block = page.block_of((DOCS / "results.md").read_text(), "bench")
    rows = [line.split("|")[1].strip() for line in block.splitlines() if line.startswith("| ")]
    assert f"| {' | '.join(bench.HEADERS)} |" in block
    assert rows[0] == "layer"
    ours = [layer.name for layer in layers.our_layers(QUEBEC, "quebec", 0)]
    others = [layer.name for layer in peers.peers(0)]
    assert [row for row in rows[2:] if row not in others] == ours
    assert [row for row in rows[2:] if row in others] == [name for name in others if name in rows]
    assert rows[2] == peers.PEER
    assert "    python -m eval bench " in block
    assert re.search(r"\d{4}-\d\d-\d\d, commit [0-9a-f]{10}\b", block)
    assert "A batch of 1,000,000 games" in block
    assert "Load average" in block
    assert f"]({plot.PICTURE})" in block
    drawn = (DOCS / plot.PICTURE).read_text()
    assert all(name in drawn for name in rows if name in others)


def test_the_wait_in_the_docs_is_that_of_every_start() -> None:
    """docs/results.md says how long each interface takes to its first step."""
    block = page.block_of((DOCS / "results.md").read_text(), "cold-start")
    assert f"| {' | '.join(cold_start.HEADERS)} |" in block
    rows = [line.split("|")[1].strip() for line in block.splitlines() if line.startswith("| ")]
    assert rows[2:] == list(first_step.STARTS)
