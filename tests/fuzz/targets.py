"""What is fuzzed: for each reader some inputs that are right, how to spoil them, and what must hold of the answer."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import agents
from agents.learned.checkpoint import POLICY_FILE, load
from eval.options import parse_rules, parse_table
from tests.fuzz import mutations
from tests.fuzz.cards_moved import spoil_cards
from tests.fuzz.checkpoints import small_checkpoint_files
from tests.play import NAMES, all_cards, any_rules, choose, observe, random_games, table_rules
from trente_env import PRESETS, Game, Rules, TrenteError, preset
from trente_env.cards import card_text, parse_card, parse_cards
from trente_env.core.worlds import redeal
from trente_env.errors import (
    IllegalActionError,
    InvalidCardError,
    InvalidDataError,
    InvalidOptionError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    UnknownNameError,
)
from trente_env.record import Recorder, parse, replay, write

LONGEST_PLAY = 250
"""Decisions that an accepted game is played on for, if it is not over before."""


@dataclass(frozen=True)
class Target:
    """A reader of input from outside."""

    name: str
    """Also the beginning of the names of inputs kept."""
    corpus: Callable[[], Iterator[bytes]]
    """Inputs that are right, to spoil."""
    spoil: Callable[[random.Random, bytes], bytes]
    """Makes another input of one."""
    read: Callable[[bytes], None]
    """Reads an input, and checks what came of it."""
    refusals: tuple[type[TrenteError], ...]
    """What it may refuse an input with."""

    @property
    def file_name(self) -> str:
        """How the names of inputs kept begin."""
        return self.name.replace(", ", "-").replace(" ", "-")


class BrokenPromiseError(Exception):
    """An input was accepted, and what it gave is not what it should be."""


def require(holds: bool, what: str) -> None:
    """Refuse an answer that breaks a promise."""
    if not holds:
        raise BrokenPromiseError(what)


def saved_games() -> Iterator[bytes]:
    """Yield saved games of every preset and of rules without a name, along play that reaches every phase."""
    for name in NAMES:
        for count in (2, 4):
            rules = table_rules(name, count)
            for number, (game, _) in enumerate(random_games(rules, 240)):
                if number % 12 == 0 or game.phase == "BUY_IN":
                    yield game.to_bytes()
    dice = random.Random(4)
    for number in range(30):
        for place, (game, _) in enumerate(random_games(any_rules(dice), 60, seed=number)):
            if place % 15 == 0:
                yield game.to_bytes()
                over = game.clone()
                while not over.is_over:
                    over.apply(choose(over, dice, patience=0.0))
                yield over.to_bytes()


def play_on(data: bytes) -> None:
    """Read a saved game; show it, play it on, save it again: cards are kept, and what was accepted stays acceptable."""
    game = Game.from_bytes(data)
    require(Game.from_bytes(game.to_bytes()) == game, "what is saved again is read again")
    dice = random.Random(data)
    deck = sorted(card_text(card) for card in game.rules.deck)
    for number in range(LONGEST_PLAY):
        if number < 8 or number % 16 == 0:
            look_at(game, deck)
        if game.is_over:
            break
        require(bool(game.legal_actions()), "who is to move can move")
        game.apply(choose(game, dice, patience=0.3))
    look_at(game, deck)
    require(Game.from_bytes(game.to_bytes()) == game, "what was played on is read again")
    if not game.is_over:
        redeal(game, game.seat_to_move or 0, 7)


def look_at(game: Game, deck: list[str]) -> None:
    """Ask a game for all that it shows."""
    require(all_cards(game) == deck, "every card is in one place")
    require(bool(str(game)), "a game can be shown")
    last = game.last_round
    require(last is None or bool(str(last)), "a round can be told")
    for seat in range(game.rules.num_players):
        require(bool(game.describe(seat)), "a seat's table can be shown")
        observe(game, seat)
    for kind in ("game", "lives", "round", "pot"):
        game.rewards(kind)


def utf8(data: bytes) -> str:
    """Read bytes as a text, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def spoil_utf8(dice: random.Random, data: bytes) -> bytes:
    """Spoil a text."""
    return mutations.spoil_text(dice, utf8(data)).encode("utf-8", "surrogateescape")


def texts(*lines: str) -> Callable[[], Iterator[bytes]]:
    """Return a corpus of texts."""
    return lambda: (line.encode() for line in lines)


def read_cards(data: bytes) -> None:
    """Read a text as a card and as a list of cards."""
    text = utf8(data)
    cards = parse_cards(text)
    require(parse_cards(" ".join(card_text(card) for card in cards)) == cards, "cards are written as they are read")
    if len(cards) == 1:
        require(parse_card(card_text(parse_card(text))) == cards[0], "a card is written as it is read")


def read_hands(data: bytes) -> None:
    """Read a text as a position: hands, upcard, stock, discard pile with bars between."""
    hands = utf8(data).split("|")
    rules = preset("quebec", num_players=2)
    game = Game.set_up(rules, hands[:2], *hands[2:5])
    look_at(game, sorted(card_text(card) for card in rules.deck))


def read_rules(data: bytes) -> None:
    """Read a JSON text as the fields of rules, and begin a game by them."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return
    rules = Rules.from_dict(fields)
    require(Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules, "rules are written as they are read")
    game = Game(rules, seed=3)
    require(Game.from_bytes(game.to_bytes()) == game, "any rules can be played and saved")


def read_options(data: bytes) -> None:
    """Read a text as rules on the command line: preset, players, changes; and as a table."""
    name, _, rest = utf8(data).partition(" ")
    players, *changes = rest.split(" ")
    parse_table(utf8(data))
    require(isinstance(parse_rules(name, len(players), changes), Rules), "rules come of it")


def read_name(data: bytes) -> None:
    """Read a text as the name of an agent and of a preset."""
    text = utf8(data)
    if text in PRESETS:
        require(preset(text) == PRESETS[text], "a preset is found by its name")
    policy = agents.make(text)
    require(agents.make(policy.name).name == policy.name, "a policy's name makes it again")


def games_by_phase() -> list[Game]:
    """Return a game in each phase."""
    games = [
        game.clone()
        for name in ("quebec", "schwimmen", "buy_in")
        for game, _ in random_games(table_rules(name, 3), 400)
    ]
    return list({game.phase: game for game in games}.values())


ACTION_GAMES = games_by_phase()


def read_action(data: bytes) -> None:
    """Read a text as an action in every phase; what is refused changes nothing, what is read back is the same."""
    text = utf8(data)
    refusals: list[TrenteError] = []
    for game in ACTION_GAMES:
        before = game.to_bytes()
        try:
            action = game.verify(text)
            require(game.verify(game.action_name(action)) == action, "an action is called by its name")
        except IllegalActionError as error:
            refusals.append(error)
        require(game.to_bytes() == before, "asking changes nothing")
    if len(refusals) == len(ACTION_GAMES):
        raise refusals[0]


def record_texts() -> Iterator[bytes]:
    """Yield records of games of every preset, whole and unfinished."""
    for name in NAMES:
        for count, decisions in ((2, 400), (4, 60)):
            recorder = Recorder(Game(table_rules(name, count), seed=count))
            dice = random.Random(name)
            for _ in range(decisions):
                if recorder.game.is_over:
                    break
                recorder.apply(choose(recorder.game, dice, patience=0.3))
            yield write(recorder.record()).encode()


def spoil_record(dice: random.Random, data: bytes) -> bytes:
    """Spoil a record, or a line of it, or put another line of it in a line's place."""
    if dice.random() < 0.3:
        return spoil_utf8(dice, data)
    lines = utf8(data).split("\n")
    place = dice.randrange(len(lines))
    lines[place] = mutations.spoil_text(dice, lines[place]) if dice.random() < 0.6 else dice.choice(lines)
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def read_record(data: bytes) -> None:
    """Read a record and play it; what was read is written, and read again, as the same."""
    record = parse(utf8(data))
    text = write(record)
    require(write(parse(text)) == text, "a record is written as it is read")
    game = replay(record)
    look_at(game, sorted(card_text(card) for card in game.rules.deck))
    require(Game.from_bytes(game.to_bytes()) == game, "a game replayed can be saved")


def checkpoint_inputs() -> Iterator[bytes]:
    """Yield a checkpoint's two files as one input: four bytes of length, the description, the weights."""
    for policy, weights in small_checkpoint_files():
        policy = mutations.with_hash(policy, weights)  # noqa: PLW2901 - under the one name that the target gives it
        yield len(policy).to_bytes(4, "little") + policy + weights


def spoil_checkpoint(dice: random.Random, data: bytes) -> bytes:
    """Spoil one of a checkpoint's files; mostly the description names the hash of the weights all the same."""
    length = int.from_bytes(data[:4], "little")
    policy, weights = data[4 : 4 + length], data[4 + length :]
    if dice.random() < 0.6:
        policy = mutations.spoil_json(dice, policy)
    else:
        weights = mutations.spoil_bytes(dice, weights[:200]) + weights[200:]
    if dice.random() < 0.7:
        policy = mutations.with_hash(policy, weights)
    return len(policy).to_bytes(4, "little") + policy + weights


FOLDER = Path(tempfile.gettempdir()) / "trente-fuzz-checkpoint"


def read_checkpoint(data: bytes) -> None:
    """Read a checkpoint; one that is accepted makes a policy."""
    length = int.from_bytes(data[:4], "little")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / POLICY_FILE).write_bytes(data[4 : 4 + length])
    (FOLDER / "policy.safetensors").write_bytes(data[4 + length :])
    try:
        require(len(load(FOLDER).layers("actor")) > 0, "a network has layers")
        require(agents.make(f"file:{FOLDER}?greedy").name.startswith("file:"), "a checkpoint makes a policy")
    finally:
        shutil.rmtree(FOLDER)


CARDS = texts("As", "10h", "7♦", "Ks Qs 9s", "2c,3c,4c")
HANDS = texts(
    "9s 8s 2d|9h 8h 2c|5d", "Ks Qs 5s|2c 3c 4h|7d|2h 3h|rest", "Ks Qs 5s 2s|2c 3c 4h||2h 3h|7d", "As Ks Qs|2c 3c 4h|7d"
)
NAMES_OF_AGENTS = texts("random", "greedy", "knock@27", "knock@30.5", "adaptive", "seeds", "file:runs/mine?greedy")
ACTIONS = texts(
    "draw", "take", "knock", "pass", "discard 7h", "take table 9d", "leave 10s", "swap all", "keep", "refuse", "buy in"
)
OPTIONS = texts(
    "quebec xx starting_lives=4 grace=no", "classic xxxx ranks=789TJQKA", "schwimmen xxx three_aces=66,random,knock@27"
)
GAME_REFUSALS = (InvalidDataError,)

TARGETS = (
    Target("saved game, its bytes", saved_games, mutations.spoil_saved, play_on, GAME_REFUSALS),
    Target("saved game, its fields", saved_games, mutations.spoil_fields, play_on, GAME_REFUSALS),
    Target("saved game, its cards", saved_games, spoil_cards, play_on, GAME_REFUSALS),
    Target("saved game, its rules", saved_games, mutations.spoil_rules, play_on, GAME_REFUSALS),
    Target("record", record_texts, spoil_record, read_record, (InvalidRecordError,)),
    Target("cards", CARDS, spoil_utf8, read_cards, (InvalidCardError,)),
    Target("hands", HANDS, spoil_utf8, read_hands, (InvalidPositionError,)),
    Target(
        "rules", lambda: (json.dumps(rules.to_dict()).encode() for rules in PRESETS.values()), mutations.spoil_json,
        read_rules, (InvalidRulesError,),
    ),
    Target(
        "rules as options", OPTIONS, spoil_utf8, read_options,
        (InvalidRulesError, InvalidOptionError, UnknownNameError),
    ),
    Target(
        "names of agents", NAMES_OF_AGENTS, spoil_utf8, read_name,
        (UnknownNameError, InvalidOptionError, InvalidDataError),
    ),
    Target("actions", ACTIONS, spoil_utf8, read_action, (IllegalActionError,)),
    Target(
        "checkpoint", checkpoint_inputs, spoil_checkpoint, read_checkpoint, (InvalidDataError,)
    ),
)  # fmt: skip
