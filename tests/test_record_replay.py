"""Records replayed: from the seed and from the cards, and every lie in one found at its line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import any_rules, choose
from trente_env import (
    PRESETS,
    Game,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
    InvalidRecordError,
    Rules,
    preset,
)
from trente_env.core import rng
from trente_env.record import Comment, End, Record, Recorder, Reshuffle, Round, parse, replay, write

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "record.md").read_text(encoding="utf-8")
DRAWING, EXCHANGE = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
PUBLIC = (
    "hands", "upcard", "discard_pile", "table", "stock", "lives", "points", "buy_ins", "in_game", "dealer", "knocker",
    "round_number", "turn_number", "num_decisions", "rounds_ended", "is_playoff", "last_round", "phase", "seat_to_move",
    "winner", "is_over", "is_truncated",
)  # fmt: skip
"""Everything a game shows that does not depend on cards nobody has seen."""


def _play(game: Game, num_decisions: int = 10_000, patience: float = 0.8) -> Recorder:
    """Play a game at random through a recorder."""
    dice = random.Random(game.seed)
    recorder = Recorder(game)
    while not game.is_over and game.num_decisions < num_decisions:
        recorder.apply(choose(game, dice, patience=patience, skill=0.5))
    return recorder


def _shown(game: Game) -> list[object]:
    """Return all that a game shows."""
    views = [game.seat_view(seat).tobytes() for seat in range(game.rules.num_players)]
    return [*(getattr(game, name) for name in PUBLIC), *views, game.rewards("game"), game.legal_actions()]


def _without(text: str, start: str) -> str:
    """Return a record without the lines that begin so."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(start))


def _refused(text: str, source: str | None = None) -> InvalidRecordError:
    with pytest.raises(InvalidRecordError) as caught:
        replay(parse(text), source)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("num_players", "num_decisions"), [(2, 10_000), (4, 150), (4, 151), (7, 90)])
def test_every_preset_replays(name: str, num_players: int, num_decisions: int) -> None:
    """By the seed a record gives the same game byte by byte, by its cards the same in all that anybody can see."""
    recorder = _play(Game(preset(name, num_players=num_players), seed=num_decisions), min(num_decisions, 250))
    record = parse(write(recorder.record()))
    game = replay(record)
    assert game == recorder.game
    assert game.to_bytes() == recorder.game.to_bytes()
    assert _shown(replay(record, "cards")) == _shown(game)
    unseeded = parse(_without(write(record), "seed:"))
    assert _shown(replay(unseeded)) == _shown(game)


@settings(max_examples=25)
@given(number=st.integers(0, 10**6), is_single_round=st.booleans(), num_decisions=st.integers(0, 120))
def test_any_game_under_any_rules_replays(number: int, *, is_single_round: bool, num_decisions: int) -> None:
    """Whatever the rules, lives and first dealer, and wherever the record stops."""
    dice = random.Random(number)
    rules = any_rules(dice)
    lives = None
    if rules.starting_lives and dice.random() < 0.5:
        lives = [dice.choice([rules.starting_lives, 1, None]) for _ in range(rules.num_players)]
        lives[:2] = [1, rules.starting_lives]
    dealer = dice.choice([None, 0, 1])
    game = Game(rules, number, dealer=dealer, lives=lives, single_round=is_single_round)
    recorder = _play(game, num_decisions, dice.choice([0.0, 0.9, 0.99]))
    record = parse(write(recorder.record()))
    assert record == recorder.record()
    assert replay(record) == game
    assert _shown(replay(record, "cards")) == _shown(game)


@settings(max_examples=80)
@given(
    text=st.sampled_from([DRAWING, EXCHANGE]),
    source=st.sampled_from([None, "cards"]),
    edits=st.lists(
        st.tuples(st.integers(0, 10_000), st.integers(0, 3), st.text(max_size=6) | st.sampled_from(["\n", "Ks", "1 "])),
        min_size=1, max_size=3,
    ),
)  # fmt: skip
def test_a_spoiled_record_is_refused_or_replayed(text: str, source: str, edits: list[tuple[int, int, str]]) -> None:
    """Whatever is done to a record, the only error is `InvalidRecordError`."""
    for place, length, new in edits:
        at = place % len(text)
        text = text[:at] + new + text[at + length :]
    try:
        record = parse(text)
        replay(record, None if record.seed is None else source)  # type: ignore[arg-type]
    except InvalidRecordError as error:
        line = error.line
    else:
        assert parse(write(record)) == record
        return
    assert 1 <= line <= text.count("\n") + 1


def test_records_show_all_that_chance_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards follow from the record when the shuffle has changed; by the seed, the first card that differs is found."""
    recorder = _play(Game(preset("quebec", num_players=3), seed=5), 60)
    record = parse(write(recorder.record()))
    first = next(entry.line for entry in record.entries if isinstance(entry, Round))
    shown = _shown(recorder.game)
    other = parse(write(record).replace("seed: 5", "seed: 6"))
    assert first <= _refused(write(other)).line <= first + 4
    assert _shown(replay(other, "cards")) == shown


def test_a_reshuffle_is_written_and_replayed() -> None:
    """R17: the record says when the discard pile becomes the stock, and cards drawn after it are its own."""
    game = Game(preset("quebec", num_players=9), seed=2)
    recorder = Recorder(game)
    while game.num_decisions < 120:
        recorder.apply("draw" if game.phase == "DRAW" else game.legal_actions()[-1])
    record = recorder.record()
    assert any(isinstance(entry, Reshuffle) for entry in record.entries)
    assert _shown(replay(record, "cards")) == _shown(replay(record)) == _shown(game)
    text = write(record)
    size = re.search(r"reshuffle: stock (\d+)", text)
    assert size is not None
    error = _refused(text.replace(size[0], "reshuffle: stock 51", 1))
    assert error.expected == f"'{size[0]}'"


def test_a_round_over_at_the_deal_is_written() -> None:
    """R9: a dealt 31 has its own round in the record, even where several deals follow one decision."""
    rules = preset("kawu", num_players=2, ranks="QKA", hand_size=2, starting_lives=3)
    texts = []
    for seed in range(12):
        recorder = _play(Game(rules, seed), patience=0.0)
        record = recorder.record()
        assert replay(record) == recorder.game
        assert _shown(replay(record, "cards")) == _shown(recorder.game)
        rounds = [entry.number for entry in record.entries if isinstance(entry, Round)]
        assert rounds == list(range(1, recorder.game.round_number + 1))
        texts.append(write(record))
    over = r"result: 31 at the deal[^\n]*"
    twice = re.compile(over + r"(\n[^\n]+)*\n\nround[^\n]*(\ndeal[^\n]*){2}\nupcard[^\n]*\n" + over)
    assert any(twice.search(text) for text in texts)


@pytest.mark.parametrize("is_single_round", [False, True])
def test_a_game_over_at_once_leaves_no_line(*, is_single_round: bool) -> None:
    """R9: a deal after which nobody would decide is dealt again, and the record begins with the one that counts."""
    rules = preset("kawu", num_players=2, ranks="TJQKA", hand_size=2, starting_lives=1)
    again = 0
    for seed in range(40):
        game = Game(rules, seed, single_round=is_single_round)
        again += int(game.to_array()[0]["deal"]) > game.round_number
        record = Recorder(game).record()
        assert replay(record) == game
        assert _shown(replay(record, "cards")) == _shown(game)
    assert again > 0


def test_buying_in_is_written_between_the_rounds() -> None:
    """R24: who buys in or declines stands behind the result."""
    rules = preset("buy_in", num_players=3, starting_lives=1)
    text = "".join(write(_play(Game(rules, seed), 200, patience=0.3).record()) for seed in range(6))
    assert re.search(r"\nlives: .*-.*\n\d buy in\n\nround", text)
    assert re.search(r"\nlives: .*-.*\n\d decline\n", text)


def test_header_options_are_kept() -> None:
    """Lives, dealer, a single round and names stand in the header only where they were given."""
    rules = preset("quebec", num_players=3)
    plain = write(Recorder(Game(rules, 1)).record())
    assert not re.search(r"^(dealer|lives|single-round|players):", plain, re.MULTILINE)
    game = Game(rules, 1, dealer=2, lives=[3, None, 0], single_round=True)
    text = write(Recorder(game, ["A", "B", "C"]).record())
    assert "players: A, B, C\nseed: 1\ndealer: 2\nlives: 3 - 0\nsingle-round: yes\n" in text
    assert replay(parse(text)) == game


@pytest.mark.parametrize("text", [DRAWING, EXCHANGE])
def test_every_changed_line_is_found(text: str) -> None:
    """A digit altered anywhere below the header is refused: at that line, or by cards at that line or a later one."""
    lines = text.split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith("round 1"))
    tried = 0
    for index in range(start, len(lines)):
        said = lines[index].partition("#")[0]
        for found in re.finditer(r"\d", said):
            other = str((int(found[0]) + 1) % 10)
            changed = [*lines[:index], said[: found.start()] + other + said[found.end() :], *lines[index + 1 :]]
            error = _refused("\n".join(changed), None)
            tried += 1
            is_decision = said[0].isdigit()  # another card thrown away is only found out later
            if "seed:" in text and not is_decision:
                assert error.line == index + 1
    assert tried > 40


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("deal 1: Ks 2h 9d", "deal 1: Ks 2h 8d", 9, "'deal 1: Ks 2h 9d'"),
        ("upcard: 5h", "upcard: 5h\nupcard: 5h", 12, "a decision of seat 1: draw, take"),
        ("1 draw: 3d", "1 draw: 3c", 12, "'1 draw: 3d'"),
        ("1 draw: 3d", "0 draw: 3d", 12, "a decision of seat 1: draw, take"),
        ("1 draw: 3d", "1 knock", 12, "a legal action: a decision of seat 1: draw, take"),
        ("1 discard 9d", "1 discard 9c", 13, "a legal action: a decision of seat 1: discard 3d"),
        ("1 discard 9d", "1 draw: 2c", 13, "a legal action"),
        ("0 take: 9d", "0 take: 5h", 14, "'0 take: 9d'"),
        ("0 pass", "0 pass: 5h", 17, "'0 pass'"),
        ("result: knock by 1,", "result: knock by 0,", 18, "'result: knock by 1, charged'"),
        ("result: knock by 1, charged", "result: last call, charged", 18, "'result: knock by 1, charged'"),
        ("3h 9d = 9, loses 1", "3h 9d = 9", 19, "'show 0: 6s 3h 9d = 9, loses 1'"),
        ("lives: 0 1", "lives: - 1", 21, "'lives: 0 1'"),
        ("round 2: dealer 1", "round 3: dealer 1", 23, "'round 2: dealer 1'"),
        ("round 2: dealer 1", "round 2: dealer 0", 23, "'round 2: dealer 1'"),
        ("round 2: dealer 1\n", "", 23, "'round 2: dealer 1'"),
        (DRAWING[DRAWING.index("round 2") : DRAWING.index("0 draw: 2s")], "", 23, "'round 2: dealer 1'"),
        ("end: winner 1", "end: winner 0", 39, "'end: winner 1'"),
        ("end: winner 1", "end: unfinished", 39, "'end: winner 1'"),
        ("end: winner 1", "0 draw: 2c\nend: winner 1", 39, "'end: winner 1'"),
        (DRAWING[DRAWING.index("1 draw: 10s") :], "end: winner 1\n", 32, "'end: unfinished'"),
        ("0 take: 9d", "reshuffle: stock 3\n0 take: 9d", 14, "a decision of seat 0"),
    ],
)
@pytest.mark.parametrize("source", ["seed", "cards"])
def test_a_lie_is_refused_with_its_line(old: str, new: str, line: int, expected: str, source: str) -> None:
    """The error says what the engine does instead; by cards, a card that could have come is believed."""
    text = DRAWING.replace(old, new, 1)
    assert text != DRAWING
    if source == "cards" and expected in {"'deal 1: Ks 2h 9d'", "'1 draw: 3d'"}:
        assert _refused(text, source).line > line
        return
    error = _refused(text, source)
    assert error.line == line
    assert expected in error.expected


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        (DRAWING, "deal 1: Ks 2h 9d\n", "", "'deal 1: CARDS' below it, with 3 cards"),
        (DRAWING, "deal 1: Ks 2h 9d", "deal 1: Ks 2h", "3 cards"),
        (DRAWING, "deal 0: 7s", "deal 0: Ks", "cards that are in the stock: Ks is not"),
        (DRAWING, "upcard: 5h\n", "", "'upcard: CARD' below it"),
        (DRAWING, "1 draw: 3d", "1 draw", "the card drawn behind it"),
        (DRAWING, "1 draw: 3d", "1 draw: 5h", "cards that are in the stock: 5h is not"),
        (DRAWING, "round 1: dealer 0", "round 1: dealer 1", "a decision of seat 0"),
        (EXCHANGE, "1 refuse: As Kh Qd", "1 refuse", "the next three cards behind it"),
        (EXCHANGE, "1 refuse: As Kh Qd", "1 keep", "cards that are in the stock: 7s is not"),
        (EXCHANGE, "1 refuse: As Kh Qd\ntable: 7s 8h 9d", "1 keep", "'table: CARDS' below it"),
        (EXCHANGE, "deal 0: 10s", "deal 0: As", "cards that are in the stock: As is not"),
        (EXCHANGE, "deal 0: 10s 10h 9c\n", "", "'deal 0: CARDS' below it"),
        (EXCHANGE, "table: 7s 8h 9d", "table: 7s 8h 10d", "'table: 7s 8h 9d'"),
        (EXCHANGE, "refresh: Ad Ac 7c\n", "", "'refresh: CARDS' below it"),
        (EXCHANGE, "refresh: Ad Ac 7c", "refresh: Ad Ac", "3 cards"),
        (EXCHANGE, "deal 1: 7s 8h 9d", "deal 1: 8h 9d 7d", "'table: 8h 9d 7d'"),
        (EXCHANGE, "deal 1: 7s 8h 9d", "deal 1: As Ks Qs", "the whole deal below it"),
    ],
)
def test_cards_that_must_be_written_are_missed(text: str, old: str, new: str, expected: str) -> None:
    """Without a seed every card dealt and drawn must stand there, once, and where it can come from."""
    changed = text.replace(old, new, 1)
    if changed == text:
        pytest.fail(f"the example has no {old!r}")
    assert expected in _refused(changed, "cards").expected


@pytest.mark.parametrize("rule", ["31", "three aces"])
def test_a_dealers_31_is_kept_without_a_decision(rule: str) -> None:
    """R40, R44, R48: the whole deal then follows at once, and its cards are those written."""
    held = {"31": "As Ks Qs", "three aces": "As Ah Ad"}[rule]
    text = (
        "trente-record: 1\nrules: schwimmen num_players=2\n\nround 1: dealer 0\n"
        f"deal 0: {held}\ntable: 9c 8c 7c\ndeal 1: 9h 8h 7h\nresult: 31 at the deal, charged\nlives: 3 2\n\n"
        "round 2: dealer 1\ndeal 1: 9h 8h 7h\nend: unfinished\n"
    )
    game = replay(parse(text))
    assert (game.phase, game.lives, game.hands[1]) == ("DEALER_CHOICE", (3, 2), ("9h", "8h", "7h"))


def test_what_a_record_leaves_out_is_not_checked() -> None:
    """By the seed decisions, rounds and the end are enough; lines of a block may stand in any order."""
    text = DRAWING
    for start in ("deal", "upcard", "result", "show", "lives", "fingerprint", "players", "#"):
        text = _without(text, start)
    text = re.sub(r"^(\d (?:draw|take)): .*$", r"\1", text, flags=re.MULTILINE)
    assert replay(parse(text)) == replay(parse(DRAWING))
    lines = DRAWING.split("\n")
    deal = next(index for index, line in enumerate(lines) if line.startswith("deal"))
    lines[deal : deal + 3] = reversed(lines[deal : deal + 3])
    for source in ("seed", "cards"):
        assert replay(parse("\n".join(lines)), source).winner == 1  # type: ignore[arg-type]


def test_a_record_by_cards_may_stop_anywhere() -> None:
    """After a result, or before the first deal, the game goes on with cards of its own."""
    text = _without(DRAWING[: DRAWING.index("round 2")] + "end: unfinished\n", "seed")
    game = replay(parse(text))
    assert (game.round_number, game.dealer, game.lives, game.is_over) == (2, 1, (0, 1), False)
    nothing = replay(parse("trente-record: 1\nrules: quebec\nend: unfinished\n"))
    assert (nothing.round_number, nothing.num_decisions, nothing.is_over) == (1, 0, False)


def test_a_first_deal_that_ends_the_game_is_refused() -> None:
    """R9: no game is over before anybody decides."""
    text = (
        "trente-record: 1\nrules: kawu num_players=2 starting_lives=1\n\nround 1: dealer 0\n"
        "deal 1: As Ks Qs\ndeal 0: 9h 8h 7h\nupcard: 2c\nend: winner 1\n"
    )
    error = _refused(text)
    assert (error.line, "(R9)" in error.expected) == (4, True)


def test_impossible_openings_are_refused() -> None:
    """A dealer that is out is refused, in the header and in the first round."""
    head = "trente-record: 1\nrules: quebec num_players=3\nlives: 1 - 1\n"
    assert "dealer" in _refused(head + "dealer: 1\nend: unfinished\n").expected
    assert "dealer" in _refused(head + "\nround 1: dealer 1\nend: unfinished\n").expected


def test_a_source_that_is_not_there_is_refused() -> None:
    """A seed can only be asked of a record that has one."""
    with pytest.raises(InvalidOptionError, match="the record has none"):
        replay(parse(EXCHANGE), "seed")
    with pytest.raises(InvalidOptionError, match="give 'seed' or 'cards'"):
        replay(parse(DRAWING), "dice")  # type: ignore[arg-type]


def test_a_record_made_in_code_has_the_lines_of_its_text() -> None:
    """Errors name the line that `write` would give, and a record without an end is refused."""
    rules = preset("quebec", num_players=2)
    entries = (Comment("made"), Round(1, 7), End("unfinished"))
    with pytest.raises(InvalidRecordError) as caught:
        replay(Record(rules=rules, entries=entries, seed=1))
    assert (
        caught.value.line
        == write(Record(rules=rules, entries=entries, seed=1)).split("\n").index("round 1: dealer 7") + 1
    )
    for entries in ((), (Comment("made"),)):
        with pytest.raises(InvalidRecordError, match="unfinished"):
            replay(Record(rules=rules, entries=entries, seed=1))


def test_a_recorder_moves_a_game_from_its_beginning() -> None:
    """A game under way, laid out by hand, or moved behind its back is refused; an illegal action changes nothing."""
    rules = preset("quebec", num_players=2)
    game = Game(rules, 3)
    recorder = Recorder(game)
    before = write(recorder.record())
    with pytest.raises(IllegalActionError):
        recorder.apply("swap all")
    assert write(recorder.record()) == before
    game.apply("draw")
    with pytest.raises(InvalidOptionError, match="behind its recorder"):
        recorder.apply(game.legal_actions()[0])
    with pytest.raises(InvalidOptionError, match="under way"):
        Recorder(game)
    with pytest.raises(InvalidOptionError, match="laid out by hand"):
        Recorder(Game.set_up(rules, ["2c 3c 4c", "2d 3d 4d"], upcard="5h"))
    over = _play(Game(rules, 3, single_round=True))
    with pytest.raises(GameOverError):
        over.apply("draw")


def test_replaying_does_not_depend_on_the_shuffle() -> None:
    """The seed 0 that orders what a record never shows is no part of what it shows."""
    assert rng.MAX_SEED == 2**63 - 1
    record = parse(_without(DRAWING, "seed"))
    other = parse(DRAWING.replace("seed: 3", "seed: 4"))
    assert _shown(replay(record)) == _shown(replay(other, "cards"))
    assert isinstance(record.rules, Rules)
