"""Options of `python -m train`: what makes no sense is refused before anything is built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tyro

from train.__main__ import main
from train.config import TrainConfig
from trente_env import InvalidOptionError, InvalidRulesError, TrenteError, preset


def test_no_options_are_quebec_heads_up() -> None:
    """Without options the run is quebec for two, in a folder named after rules, players and seed."""
    config = tyro.cli(TrainConfig, args=[])
    assert config == TrainConfig()
    assert config.rule_set() == preset("quebec", num_players=2)
    assert config.folder == Path("runs/quebec-2p-s0")


def test_rules_are_changed_by_field(tmp_path: Path) -> None:
    """--preset, --players and --rules together name the rules."""
    options = ["--preset", "classic", "--players", "4", "--rules", "starting_lives=5", "grace=no"]
    config = tyro.cli(TrainConfig, args=[*options, "--run-dir", str(tmp_path)])
    assert config.rule_set() == preset("classic", num_players=4, starting_lives=5, grace=False)
    assert config.folder == tmp_path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "--games cannot be 0: give a number from 1"),
        ({"minutes": 0.0}, "--minutes cannot be 0"),
        ({"minutes": float("nan")}, "--minutes cannot be nan"),
        ({"gamma": 1.5}, "--gamma cannot be 1.5: give a number from 0 to 1"),
        ({"decisions": 0}, "--decisions cannot be 0"),
        ({"learning_rate": -1.0}, "--learning-rate cannot be -1"),
        ({"eval_deals": 1}, "--eval-deals cannot be 1"),
        ({"opponents": ()}, "--opponents cannot be empty"),
        ({"hidden": ()}, "--hidden cannot be"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, object], message: str) -> None:
    """A number out of bounds is refused with the option's name, the number, and the bounds."""
    with pytest.raises(InvalidOptionError, match=message):
        TrainConfig(**changes)  # type: ignore[arg-type]


def test_wrong_rules_are_refused() -> None:
    """Presets and fields that do not exist are refused."""
    with pytest.raises(TrenteError, match="no preset named 'belote'"):
        TrainConfig(preset="belote")
    with pytest.raises(InvalidRulesError, match="there is no such field"):
        TrainConfig(rules=("trumps=1",))


def test_the_saved_config_has_every_option() -> None:
    """`config.json` holds every field by name."""
    saved = json.loads(TrainConfig(run_dir=Path("runs/x")).to_json())
    assert saved.keys() == TrainConfig.__dataclass_fields__.keys()
    assert saved["run_dir"] == "runs/x"
    assert saved["hidden"] == [128, 128]


def test_mistakes_end_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake on the command line gives exit status 2 and a sentence, not a traceback."""
    assert main(["--preset", "belote"]) == 2
    assert capsys.readouterr().err.startswith("error: There is no preset named 'belote'")
