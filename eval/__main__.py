"""`python -m eval`: match policies, judge one against the baselines, measure speed, write the generated files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from eval import arena, report
from eval.options import check_output, parse_rules, parse_table
from eval.runner import BATCH_SIZE
from eval.speed.commands import Bench, ColdStart
from trente_env.errors import InvalidOptionError, TrenteError
from trente_env.files import write_whole

_EXIT_BAD_INPUT = 2
_EXIT_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class _Played:
    """Options of everything that plays games."""

    preset: str = "quebec"
    """Rule set: quebec, classic, ..."""
    rules: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FIELD=VALUE ...")] = ()
    """Changes of its fields: --rules starting_lives=4 grace=no."""
    deals: int = arena.DEALS
    """Deals, each played in every seating. From 2."""
    seed: int = 0
    """What the deals follow from. The same seed is the same deals."""
    batch: int = BATCH_SIZE
    """Games played at once. No result depends on it."""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File to write the result to, as JSON."""
    markdown: bool = False
    """Print the table as Markdown."""


@dataclass(frozen=True, slots=True)
class Match(_Played):
    """Play two policies against each other, or a table of several, on duplicate deals."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="A B")] = ()
    """Two policies: knock@27 random, file:runs/mine ..."""
    players: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seats at the table. Two, or those of --table, if not given."""
    table: Annotated[str | None, tyro.conf.arg(metavar="A,B,B,C")] = None
    """Instead of two policies: one table of several, as in knock@27,random,random,seeds."""
    episode: Literal["game", "round"] = "game"
    """What a game is: a whole one, or a single round."""

    def run(self, arguments: Sequence[str]) -> None:
        """Play, print, write."""
        check_output(self.json)
        names = self.agents if self.table is None else parse_table(self.table)
        if self.table is not None and self.agents:
            raise InvalidOptionError("Give two policies, or --table, not both.")
        if self.table is None and len(self.agents) != 2:  # noqa: PLR2004 - a match is between two
            raise InvalidOptionError(
                f"A match is between two policies, not {len(self.agents)}: name two, as in knock@27 random, or --table."
            )
        default_players = 2 if self.table is None else len(names)
        rules = parse_rules(self.preset, default_players if self.players is None else self.players, self.rules)
        with report.progress_bar() as progress:
            if self.table is None:
                result = arena.play_match(
                    self.agents[0], self.agents[1], rules, deals=self.deals, seed=self.seed, episode=self.episode,
                    batch_size=self.batch, progress=progress,
                )  # fmt: skip
            else:
                result = arena.play_table(
                    names, rules, deals=self.deals, seed=self.seed, episode=self.episode,
                    batch_size=self.batch, progress=progress,
                )  # fmt: skip
        report.match_sheet(result, self.preset).show(as_markdown=self.markdown)
        report.write_json(self.json, {**result.to_json(), "preset": self.preset, **report.origin(arguments)})


@dataclass(frozen=True, slots=True)
class Baselines(_Played):
    """Judge one policy against each of several baselines, all on the same deals."""

    policy: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="POLICY")] = ""
    """Who is judged: knock@27, file:runs/mine ..."""
    players: int = 2
    """Seats at the table. With more than two the policy sits alone among the baseline, in each seat."""
    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="POLICY ...")] = arena.BASELINES
    """The baselines."""

    def run(self, arguments: Sequence[str]) -> None:
        """Play, print, write."""
        check_output(self.json)
        if not self.policy or not self.against:
            raise InvalidOptionError(
                "Name a policy and whom to judge it against, as in baselines knock@27 --against random."
            )
        rules = parse_rules(self.preset, self.players, self.rules)
        with report.progress_bar() as progress:
            results = arena.judge(
                self.policy, self.against, rules=rules, deals=self.deals, seed=self.seed,
                batch_size=self.batch, progress=progress,
            )  # fmt: skip
        report.baseline_sheet(results, self.preset).show(as_markdown=self.markdown)
        mean = arena.mean_win_rate(results)
        document = {
            "policy": results[0].agents[0].name,
            "mean_win_rate": mean.value,
            "mean_win_rate_ci": list(mean.interval),
            "matches": [result.to_json() for result in results],
            "deals": self.deals,
            "seed": self.seed,
            "preset": self.preset,
            "rules": rules.to_dict(),
            "rules_fingerprint": rules.fingerprint,
        }
        report.write_json(self.json, document | report.origin(arguments))


@dataclass(frozen=True, slots=True)
class Docs:
    """Write the generated pages of docs/ from the tables in the code."""

    folder: Path = Path("docs")
    """Where to write them."""

    def run(self, arguments: Sequence[str]) -> None:  # noqa: ARG002 - every command takes them
        """Write the pages and name them."""
        from eval.rule_book import FILE, write_rules  # noqa: PLC0415 - of no use to the other commands
        from trente_env.encoding.doc_tables import write_docs  # noqa: PLC0415 - of no use to the other commands

        if not self.folder.is_dir():
            raise InvalidOptionError(
                f"--folder cannot be {str(self.folder)!r}: there is no such folder. Run it in a checkout."
            )
        for path in write_docs(self.folder):
            print(path)
        write_rules(self.folder)
        print(self.folder / FILE)


@dataclass(frozen=True, slots=True)
class Playthroughs:
    """Write the golden playthroughs: fixed games, told decision by decision, which a test compares."""

    folder: Path = Path("tests/playthroughs")
    """Where to write them."""

    def run(self, arguments: Sequence[str]) -> None:  # noqa: ARG002 - every command takes them
        """Write the files and name them."""
        from eval.playthrough import lines  # noqa: PLC0415 - of no use to the other commands
        from eval.playthrough_scenarios import SCENARIOS  # noqa: PLC0415 - of no use to the other commands

        if not self.folder.is_dir():
            raise InvalidOptionError(
                f"--folder cannot be {str(self.folder)!r}: there is no such folder. Run it in a checkout."
            )
        for name, scenario in SCENARIOS.items():
            path = self.folder / f"{name}.txt"
            write_whole(path, "\n".join([*lines(scenario), ""]))
            print(path)


Command = (
    Annotated[Match, tyro.conf.subcommand("match")]
    | Annotated[Baselines, tyro.conf.subcommand("baselines")]
    | Annotated[Bench, tyro.conf.subcommand("bench")]
    | Annotated[ColdStart, tyro.conf.subcommand("cold-start")]
    | Annotated[Docs, tyro.conf.subcommand("docs")]
    | Annotated[Playthroughs, tyro.conf.subcommand("playthroughs")]
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; leave with 2 and one line where the input is at fault."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    command: Match | Baselines | Bench | ColdStart | Docs | Playthroughs = tyro.cli(
        Command,
        prog="python -m eval",
        description=__doc__,
        args=given,
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    try:
        command.run(given)
    except TrenteError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(_EXIT_BAD_INPUT) from None
    except KeyboardInterrupt:
        print("Interrupted: nothing was written.", file=sys.stderr)
        raise SystemExit(_EXIT_INTERRUPTED) from None


if __name__ == "__main__":
    main()
