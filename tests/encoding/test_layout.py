"""The layout of observations: sections tile it exactly, sizes, ranges, names."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from tests.play import TABLES, any_rules, observe, random_games, table_rules
from trente_env import GameBatch, InvalidOptionError, preset
from trente_env.core.layout import SEAT_VIEW, to_array
from trente_env.encoding.sections import (
    HIDDEN_SECTIONS,
    OBSERVED_RULES,
    PLACES,
    PUBLIC_SECTIONS,
    SECTIONS,
    STATE_SECTIONS,
    ObservationSpec,
    observation_spec,
    state_spec,
)

ALL_SEATS = range(2, 10)


@pytest.mark.parametrize("seats", ALL_SEATS)
@pytest.mark.parametrize("spec_of", [observation_spec, state_spec])
def test_sections_tile_the_observation(spec_of: type[ObservationSpec], seats: int) -> None:
    """Each number belongs to exactly one section, and the sections lie in the order in which they are declared."""
    spec = spec_of(seats)
    covered = [place for section in spec.sections for place in range(spec.size)[spec[section.name]]]
    assert covered == list(range(spec.size))
    assert spec.offsets.tolist() == [spec[section.name].start for section in spec.sections]


@pytest.mark.parametrize("seats", ALL_SEATS)
def test_sections_have_their_declared_sizes(seats: int) -> None:
    """A section has so many numbers a seat, and so many besides."""
    spec = observation_spec(seats)
    for section in SECTIONS:
        place = spec[section.name]
        assert place.stop - place.start == section.per_seat * seats + section.fixed


def test_split_gives_views_by_name() -> None:
    """`split` names the sections of an observation, or of a batch of them, without copying."""
    spec = observation_spec(3)
    row = np.zeros(spec.size, np.int8)
    parts = spec.split(row)
    assert list(parts) == [section.name for section in SECTIONS]
    parts["lives"][1] = 7
    assert row[spec["lives"]].tolist() == [0, 7, 0]
    batch = spec.split(np.zeros((4, 5, spec.size), np.int8))
    assert batch["hand"].shape == (4, 5, 52)


@pytest.mark.parametrize("seats", ALL_SEATS)
def test_bounds_are_the_sections(seats: int) -> None:
    """Lows and highs are int8, one for each number, as its section declares them."""
    spec = observation_spec(seats)
    assert spec.lows.dtype == spec.highs.dtype == np.int8
    assert spec.lows.shape == spec.highs.shape == (spec.size,)
    for section in SECTIONS:
        assert set(spec.lows[spec[section.name]].tolist()) == {section.low}
        assert set(spec.highs[spec[section.name]].tolist()) == {section.high}


def test_names_are_unique_and_explained() -> None:
    """No two sections share a name, and each says what it means."""
    for sections in (SECTIONS, STATE_SECTIONS):
        assert len({section.name for section in sections}) == len(sections)
        assert all(section.meaning for section in sections)


@pytest.mark.parametrize("seats", [1, 10, 0, -1])
def test_impossible_tables_are_refused(seats: int) -> None:
    """A layout is for two to nine seats."""
    with pytest.raises(InvalidOptionError, match="2 to 9"):
        ObservationSpec(seats)


def test_an_unknown_section_is_refused() -> None:
    """A section that does not exist is refused with the list of those that do."""
    with pytest.raises(InvalidOptionError, match=r"no section 'colour'. Known: hand, upcard"):
        observation_spec(2)["colour"]


def test_fingerprints_tell_layouts_apart() -> None:
    """Each number of seats, and the state, has a fingerprint of its own, the same every time."""
    names = [observation_spec(seats).fingerprint for seats in ALL_SEATS]
    names += [state_spec(seats).fingerprint for seats in ALL_SEATS]
    assert len(set(names)) == len(names)
    assert ObservationSpec(4).fingerprint == observation_spec(4).fingerprint


def test_the_observed_rules_are_fields_of_the_view() -> None:
    """The rules section has a number for each rule field that a policy may need, limits left out."""
    assert observation_spec(2)["rules"].stop - observation_spec(2)["rules"].start == len(OBSERVED_RULES)
    assert {name.replace("buy_ins", "rules_buy_ins") for name in OBSERVED_RULES} <= set(SEAT_VIEW.names or ())
    assert not {"round_limit", "max_rounds"} & set(OBSERVED_RULES)


def test_the_state_is_hidden_and_public_sections() -> None:
    """The state has the hidden sections first, then those of the observation that are everybody's."""
    assert [section.name for section in STATE_SECTIONS[: len(HIDDEN_SECTIONS)]] == [
        each.name for each in HIDDEN_SECTIONS
    ]
    assert {section.name for section in STATE_SECTIONS[len(HIDDEN_SECTIONS) :]} == set(PUBLIC_SECTIONS)
    assert "hand" not in PUBLIC_SECTIONS
    spec = state_spec(3)
    row = to_array(spec.lower(), PLACES)[0]
    assert {name: int(row[name]) for name in PLACES.names or ()} == {
        **dict.fromkeys(PLACES.names or (), -1),
        **{section.name: spec[section.name].start for section in spec.sections},
        "seats": 3,
        "size": spec.size,
    }


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_values_lie_within_the_declared_bounds(name: str, num_players: int) -> None:
    """Along random games, every number of every seat's observation is within its section's low and high."""
    for seats in (num_players, 9):
        spec = observation_spec(seats)
        for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 30, seed=seats)):
            row = np.concatenate(list(observe(game, number % num_players, seats).values()))
            assert row.dtype == np.int8
            assert (row >= spec.lows).all()
            assert (row <= spec.highs).all()


@pytest.mark.parametrize("part", range(3))
def test_values_lie_within_the_declared_bounds_under_any_rules(part: int) -> None:
    """The same under rules that no preset has."""
    dice = random.Random(part)
    for _ in range(30):
        rules = any_rules(dice)
        spec = observation_spec(rules.num_players)
        for number, (game, _) in enumerate(random_games(rules, 40)):
            row = np.concatenate(list(observe(game, number % rules.num_players).values()))
            assert ((spec.lows <= row) & (row <= spec.highs)).all()


def test_values_at_the_ends_of_their_ranges() -> None:
    """Large numbers of lives, buy-ins and points are shown as they are, or capped at 127, and stay in bounds."""
    rich = preset("buy_in", num_players=2, starting_lives=100, buy_ins=100)
    far = preset("quebec_points", num_players=2, target_points=1_000)
    for batch in (GameBatch(rich, 1), GameBatch(far, 1)):
        row = batch.reset().observations_BS[0]
        assert ((batch.spec.lows <= row) & (row <= batch.spec.highs)).all()
    parts = observation_spec(2).split(GameBatch(far, 1).reset().observations_BS[0])
    assert parts["rules"][OBSERVED_RULES.index("target_points")] == 127


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_padding_adds_zeros_only(name: str, num_players: int) -> None:
    """Seen in the layout of a larger table, every section says the same, and the places of seats not there are zero."""
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 30)):
        seat = number % num_players
        plain, padded = observe(game, seat), observe(game, seat, 9)
        for section in SECTIONS:
            if section.name == "events":
                continue
            small, large = plain[section.name], padded[section.name]
            assert large[: small.size].tolist() == small.tolist()
            assert not large[small.size :].any()


def test_padding_of_events() -> None:
    """An event's seat is one-hot over the places of the table; the rest of the event follows."""
    for game, _ in itertools.islice(random_games(preset("quebec", num_players=3), 40), 10, 40):
        plain = observe(game, 1)["events"].reshape(8, -1)
        padded = observe(game, 1, 6)["events"].reshape(8, -1)
        assert padded[:, :3].tolist() == plain[:, :3].tolist()
        assert not padded[:, 3:6].any()
        assert padded[:, 6:].tolist() == plain[:, 3:].tolist()
