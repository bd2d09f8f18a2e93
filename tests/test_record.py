"""Records as text: what is written, what is read, and how each break of the format is refused."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.play import choose
from trente_env import (
    PRESETS,
    Game,
    InvalidOptionError,
    InvalidRecordError,
    InvalidRulesError,
    Rules,
    UnknownNameError,
    WriteError,
    preset,
)
from trente_env.game import Hand
from trente_env.presets import field_value
from trente_env.record import (
    Comment,
    Deal,
    End,
    Move,
    Record,
    Recorder,
    Refresh,
    Result,
    Round,
    Show,
    TableCards,
    load,
    parse,
    replay,
    rules_text,
    save,
    write,
)
from trente_env.record.writing import MAX_SIZE

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "record.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SHORT = """\
trente-record: 1
rules: quebec num_players=2 starting_lives=1
seed: 7

round 1: dealer 0
end: unfinished
"""


def _record(game: Game, num_decisions: int = 10_000, players: tuple[str, ...] = ()) -> Recorder:
    """Play a game at random through a recorder."""
    dice = random.Random(game.seed)
    recorder = Recorder(game, players)
    while not game.is_over and game.num_decisions < num_decisions:
        recorder.apply(choose(game, dice, patience=0.7))
    return recorder


def _changed(line: str, by: str) -> str:
    """Return SHORT with the line that begins as `line` does replaced by another."""
    lines = [by if each.startswith(line) else each for each in SHORT.split("\n")]
    assert "\n".join(lines) != SHORT
    return "\n".join(lines)


@pytest.mark.parametrize("text", EXAMPLES, ids=["seed", "cards"])
def test_the_examples_of_the_page_are_canonical_and_true(text: str) -> None:
    """docs/record.md shows records as `write` writes them, of games that were played so."""
    record = parse(text)
    assert write(record) == text
    game = replay(record)
    assert game.is_over
    assert replay(record, "cards").last_round == game.last_round


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("num_decisions", [0, 37, 400])
def test_text_and_record_are_the_same(name: str, num_decisions: int) -> None:
    """Writing and reading again gives the same record and the same text, wherever the game stands."""
    recorder = _record(Game(preset(name, num_players=3), seed=num_decisions), num_decisions, ("Anna", "Bo", "Chloé"))
    record = recorder.record()
    text = write(record)
    assert parse(text) == record
    assert write(parse(text)) == text
    assert [entry.line for entry in parse(text).entries] == [entry.line for entry in record.entries]
    assert len(record.moves) == recorder.game.num_decisions
    assert record.end is not None
    assert (record.end.how == "unfinished") is not recorder.game.is_over


def test_what_a_record_holds_is_typed() -> None:
    """Every line is read as an object with fields, among them its number and what was noted behind it."""
    record = parse(EXAMPLES[1])
    assert (record.preset, record.players, record.lives, record.seed) == ("schwimmen", ("Chloé", "Dan"), (1, 2), None)
    assert record.is_single_round
    by_kind = {type(entry): entry for entry in record.entries}
    assert by_kind[Round] == Round(1, 1)
    assert [entry.seat for entry in record.entries if isinstance(entry, Deal)] == [1, 0]
    assert str(by_kind[Refresh]) == "refresh: Ad Ac 7c"
    assert by_kind[TableCards] == TableCards(Hand(("7s", "8h", "9d")))
    assert by_kind[Result] == Result("knock", "charged", 0)
    assert by_kind[End] == End("single round")
    swap = next(entry for entry in record.moves if entry.action == "swap all")
    assert (swap.seat, swap.cards, swap.note) == (1, ("10s", "Ad", "7c"), "locked from now on")
    assert EXAMPLES[1].split("\n")[swap.line - 1].startswith("1 swap all")


def test_what_a_person_writes_is_read_in_its_canonical_form() -> None:
    """Blanks, line ends, byte order mark, card spellings, order of cards, half points: read, and written one way."""
    lines = [
        "\ufefftrente-record:  1 # mine", "seed: 07", "# a thought", "rules: classic  num_players=3 grace=True",
        "", "\tround 1:  dealer 0  # begins", "deal 1: th a♠ 9C", "upcard: 10♥", "1 discard TD",
        "show 2: 2c 2D 2h = 30.5, out", "lives: 1 - 0", "#", "end: unfinished", "# really",
    ]  # fmt: skip
    record = parse("\r\n".join(lines))
    assert write(record) == (
        "trente-record: 1\nrules: classic num_players=3\nfingerprint: "
        f"{preset('classic', num_players=3).fingerprint}\nseed: 7\n# mine\n# a thought\n\nround 1: dealer 0  # begins\n"
        "deal 1: As 10h 9c\nupcard: 10h\n1 discard 10d\nshow 2: 2h 2d 2c = 30½, out\nlives: 1 - 0\n#\n\n"
        "end: unfinished\n# really\n"
    )
    assert write(parse(write(record))) == write(record)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "as the first line"),
        ("\n\n", 3, "as the first line"),
        ("hello", 1, "as the first line"),
        ("trente-record: 2\nrules: quebec\nend: unfinished", 1, "version 1"),
        ("trente-record: 1", 1, "'rules: …' in the header"),
        ("trente-record: 1\nend: unfinished", 2, "'rules: …' in the header"),
        (_changed("rules", "rules: poker"), 2, "name of a preset"),
        (_changed("rules", "rules: quebec lives=3"), 2, "no such field"),
        (_changed("rules", "rules: quebec grace"), 2, "field=value"),
        (_changed("rules", "rules: quebec grace=no grace=no"), 2, "each field once"),
        (_changed("rules", "rules: quebec grace=perhaps"), 2, "give one of"),
        (_changed("rules", "rules: quebec num_players=" + "9" * 5_00), 2, "whole number"),
        (_changed("rules", "rules: quebec num_players=٣"), 2, "whole number"),
        (_changed("rules", "rules: quebec num_players=10"), 2, "from 2 to 9"),
        (_changed("rules", "rules: quebec scoring=__import__('os')"), 2, "choose one of"),
        (_changed("seed", "fingerprint: 0123456789abcdef"), 3, "which the rules above have"),
        (_changed("seed", "event: World Championship"), 3, "a line of the header"),
        (_changed("seed", "seed: -1"), 3, "a whole number from 0"),
        (_changed("seed", "seed: 9223372036854775808"), 3, "a whole number from 0"),
        (_changed("seed", "seed: 1\nseed: 1"), 4, "'seed' once"),
        (_changed("seed", "dealer: 2"), 3, "a whole number from 0 to 1"),
        (_changed("seed", "lives: 1"), 3, "2 numbers of lives"),
        (_changed("seed", "lives: 1 2"), 3, "lives that can be"),
        (_changed("seed", "lives: 1 -"), 3, "fewer than two"),
        (_changed("seed", "players: Anna"), 3, "2 names"),
        (_changed("seed", "single-round: maybe"), 3, "yes or no"),
        (_changed("seed", "deal 0: 2c 3c 4c"), 3, "'round 1: dealer …'"),
        (_changed("round", "round one: dealer 0"), 5, "'round NUMBER: dealer SEAT'"),
        (_changed("round", "round 1: dealer 9"), 5, "a whole number from 0 to 1"),
        (_changed("end", ""), 7, "the record is cut short"),
        (_changed("end", "end: unfin"), 6, "'end: winner SEAT'"),
        (_changed("end", "end: winner 5"), 6, "a whole number from 0 to 1"),
        (SHORT + "0 draw: 2c", 7, "nothing after the end"),
        (_changed("end", "deal 0: Ks Ks 2c"), 6, "stands twice"),
        (_changed("end", "deal 0: Ks 1s 2c"), 6, "not a card"),
        (_changed("end", "deal 0: ,"), 6, "cards such as"),
        (_changed("end", "upcard: Ks Qs"), 6, "a card"),
        (_changed("end", "result: fire, charged"), 6, "END one of knock|31|31 at the deal"),
        (_changed("end", "result: none, charged"), 6, "END one of"),
        (_changed("end", "show 0: Ks = 1000"), 6, "a whole number from 0 to 99"),
        (_changed("end", "points: 1"), 6, "2 numbers of points"),
        (_changed("end", "reshuffle: 3"), 6, "'reshuffle: stock NUMBER'"),
        (_changed("end", "0 fly"), 6, "'SEAT ACTION'"),
        (_changed("end", "5 draw"), 6, "a whole number from 0 to 1"),
        (_changed("end", "٣ draw"), 6, "a whole number from 0 to 1"),
        (_changed("end", "0 discard Xx"), 6, "a card"),
        (_changed("end", "seat 0 draws"), 6, "a decision such as"),
        (_changed("end", "0 draw\x00"), 6, "no control character ('\\x00' at column 7)"),
        (_changed("end", "0 draw\rend: unfinished"), 6, "no control character"),
        (_changed("end", "# \ud800"), 6, "no control character"),
        (_changed("end", "#" * 1_001), 6, "at most 1000 characters"),
    ],
)
def test_what_breaks_the_format_is_refused_with_its_line(text: str, line: int, expected: str) -> None:
    """The error names the line, what stands there, and what was expected."""
    with pytest.raises(InvalidRecordError) as caught:
        parse(text)
    assert caught.value.line == line
    assert expected in caught.value.expected
    assert str(caught.value).startswith(f"Line {line} of the record has {caught.value.found!r}; expected ")


@pytest.mark.parametrize("data", [None, b"trente-record: 1", 7])
def test_what_is_no_text_is_refused(data: object) -> None:
    """Bytes and other things are refused as any other malformed record is."""
    with pytest.raises(InvalidRecordError, match="a text"):
        parse(data)  # type: ignore[arg-type]


def test_a_huge_record_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 32 MiB are not looked at, read from a file, or written."""
    assert MAX_SIZE == 32 * 2**20
    assert "32 MiB" in PAGE
    for module in ("parsing", "writing"):
        monkeypatch.setattr(f"trente_env.record.{module}.MAX_SIZE", len(SHORT))
    assert parse(SHORT).seed == 7
    (tmp_path / "huge.txt").write_text(SHORT + "\n" + "\0" * 1_000)
    for read in (lambda: parse(SHORT + "\n"), lambda: load(tmp_path / "huge.txt")):
        with pytest.raises(
            InvalidRecordError, match=f"has '{len(SHORT) + 1} characters'; expected at most {len(SHORT)}"
        ):
            read()
    with pytest.raises(InvalidOptionError, match="could not be read again"):
        write(Record(rules=Rules(), entries=(Comment("x" * 900),)))


def test_a_record_cut_anywhere_is_noticed() -> None:
    """Whatever part of the file is lost at its end, reading or replaying it fails."""
    text = EXAMPLES[0]
    assert parse(text.rstrip("\n")) == parse(text)
    for length in range(len(text.rstrip("\n"))):
        with pytest.raises(InvalidRecordError):
            replay(parse(text[:length]))


def test_a_file_holds_what_was_saved(tmp_path: Path) -> None:
    """`save` writes UTF-8 with LF, `load` reads it; what cannot be written or read says why."""
    record = parse(EXAMPLES[1])
    save(record, tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_bytes() == EXAMPLES[1].encode()
    assert load(str(tmp_path / "game.txt")) == record
    with pytest.raises(WriteError, match="make the folder first"):
        save(record, tmp_path / "no" / "game.txt")
    for path in (tmp_path / "none.txt", tmp_path, "a\0b"):
        with pytest.raises(InvalidOptionError, match="cannot be read"):
            load(path)
    (tmp_path / "latin.txt").write_bytes(b"trente-record: 1\n# caf\xe9\n")
    with pytest.raises(InvalidRecordError, match=r"Line 2 of the record .* UTF-8"):
        load(tmp_path / "latin.txt")


def test_rules_are_written_as_changes_of_the_nearest_preset() -> None:
    """A preset's name with the fields that differ; every field after "custom"."""
    rules = preset("schwimmen", num_players=5, grace=False)
    assert rules_text(rules) == "schwimmen num_players=5 grace=no"
    assert rules_text(rules, "exchange").startswith("exchange num_players=5 ranks=789TJQKA three_aces=66 grace=no")
    assert rules_text(preset("scat")) == "classic"
    assert rules_text(rules, "custom").count("=") == len(rules.to_dict())
    for name in ("schwimmen", "exchange", "quebec_points", "custom"):
        text = write(Record(rules=rules, entries=(End("unfinished"),), preset=name))
        assert parse(text).rules == rules
        assert parse(text).preset == name
    with pytest.raises(UnknownNameError, match="poker"):
        write(Record(rules=rules, entries=(), preset="poker"))


def test_a_preset_that_has_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of rules that a preset's name no longer means is refused, not replayed under other rules."""
    text = write(parse(SHORT))
    monkeypatch.setattr("trente_env.presets.PRESETS", {**PRESETS, "quebec": PRESETS["kawu"]})
    with pytest.raises(InvalidRecordError, match=r"Line 3 .* not those of the game"):
        parse(text)


def test_field_values_are_read_as_people_write_them() -> None:
    """Truth values in words, whole numbers in ASCII digits, anything else as text."""
    assert [field_value("grace", text) for text in ("yes", "FALSE", "1")] == [True, False, True]
    assert field_value("buy_ins", "12") == 12
    assert field_value("scoring", "points") == "points"
    for name, text in (("grace", "2"), ("buy_ins", "-1"), ("buy_ins", "1_0"), ("buy_ins", "1" * 10)):
        with pytest.raises(InvalidRulesError):
            field_value(name, text)


@pytest.mark.parametrize("text", ["two\nlines", "bell\a", "x" * 1_000, "a\u2028b"])
def test_a_comment_of_several_lines_is_not_written(text: str) -> None:
    """What would read as another line, or not at all, is refused by `write`."""
    with pytest.raises(InvalidOptionError, match="of one line"):
        write(Record(rules=Rules(), entries=(Comment(text), End("unfinished"))))
    with pytest.raises(InvalidOptionError, match="of one line"):
        write(Record(rules=Rules(), entries=(Move(0, "draw", note=text), End("unfinished"))))


@pytest.mark.parametrize(
    "players",
    [
        ("Anna",),
        "AB",
        ("", "Bo"),
        ("A, B", "C"),
        ("a#", "b"),
        (" a", "b"),
        ("a\n", "b"),
        ("a\u200b", "b"),
        ("a" * 65, "b"),
    ],
)
def test_names_that_do_not_fit_are_refused(players: tuple[str, ...]) -> None:
    """One name a seat, without the characters that mean something in a record."""
    with pytest.raises(InvalidOptionError, match="play"):
        Recorder(Game(preset("quebec", num_players=2)), players)


def test_shown_values_have_half_points() -> None:
    """R3: three of a kind is worth 30½, and is written so."""
    assert str(Show(0, Hand(("9s", "9h", "9d")), 61, loses=1, is_out=True)) == "show 0: 9s 9h 9d = 30½, loses 1, out"
