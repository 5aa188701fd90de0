"""A round told in the terminal: step by step, with the layout drawn and everybody's tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from analyzer.cli import drawing
from analyzer.cli.output import emit, new_console, rendered, speaks_utf8
from analyzer.errors import FivesError
from reports.board import words
from reports.board.placing import Placing, place

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from reports.board.story import Story, Table

INDENT = 2
LEAST_UNITS = 14  # of a drawing; in a narrower window the lines of the layout are written as text
STRUCK, NEW, HEADING = "red strike", "bold magenta", "bold"


def print_story(story: Story, *, turn: int | None, games: int) -> None:
    """Print a round, or one turn of it.

    Parameters
    ----------
    turn : the number of the turn to print alone; None: all.
    games : how many games the file holds.

    Raises
    ------
    FivesError
        Where the round has no such turn.
    """
    if turn is not None and not 0 <= turn < len(story.turns):
        last = len(story.turns) - 1
        raise FivesError(f"round {story.round} of game {story.game} has no turn {turn}: it has 0 to {last}.")
    teller = _Teller(story)
    teller.head(games)
    if turn is None:
        teller.deal()
    for each in range(len(story.turns)) if turn is None else [turn]:
        teller.turn(each)
    if turn is None:
        teller.end()


class _Teller:
    """Prints the steps of one round in the window's width."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.console: Console = new_console()
        self.is_utf8 = speaks_utf8()
        self.placing = self._placing()

    def _placing(self) -> Placing | None:
        """Return where the tiles are drawn, or None where the window is too narrow for a drawing."""
        units = drawing.units(self.console.width - INDENT)
        if units < LEAST_UNITS:
            return None
        placing = place([tile.joint for tile in self.story.laid], units)
        return placing if placing.frame.width <= units else None

    def head(self, games: int) -> None:
        """Print what is shown, and what else there is."""
        story = self.story
        self._line(words.title(story), HEADING)
        self._line(words.subtitle(story))
        if games > 1:
            self._line(f"The file has {games:,} games; --game shows another one.")
        if story.rounds > 1:
            self._line(f"The game has rounds 0 to {story.rounds - 1}; --round shows another one.")

    def deal(self) -> None:
        """Print the deal."""
        self._heading(words.deal_heading())
        self._sentences(words.deal_sentences(self.story))
        self._scores(self.story.dealt)
        self._tiles(self.story.dealt)

    def turn(self, number: int) -> None:
        """Print one turn."""
        turn = self.story.turns[number]
        self._heading(words.turn_heading(turn))
        self._sentences(words.turn_sentences(self.story, turn))
        self._scores(turn.table)
        self._layout(turn.table, None if turn.move is None else turn.table.laid - 1)
        self._line(f"{words.LABELS['open_places']}: {words.places(turn.table.places)}")
        self._tiles(turn.table)

    def end(self) -> None:
        """Print how the round ended."""
        self._heading(words.end_heading(self.story.ending))
        self._sentences(words.end_sentences(self.story))
        self._scores(self.story.ending.table)

    def _line(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self._print(Text(text, style))

    def _heading(self, text: str) -> None:
        rule = "─" if self.is_utf8 else "-"
        emit("")
        self._line(f"{rule * 2} {text} ".ljust(min(self.console.width, 72), rule), HEADING)

    def _sentences(self, sentences: Iterable[Sequence[words.Part]]) -> None:
        from rich.text import Text

        for sentence in sentences:
            parts = [(part.text, STRUCK if part.is_struck else "") for part in sentence]
            self._print(Text.assemble(*parts))

    def _scores(self, table: Table) -> None:
        self._line(f"{words.scores_label(self.story)}: {words.scores(self.story, table.scores)}")

    def _layout(self, table: Table, new: int | None) -> None:
        from rich.text import Text

        laid = self.story.laid[: table.laid]
        if self.placing is None:
            for line in words.layout_lines(laid):
                self._line(f"{' ' * INDENT}{line}")
            return
        for row in drawing.draw(laid, self.placing, is_utf8=self.is_utf8, new=new):
            runs = [
                ("".join(cell.text for cell in run), NEW if is_new else "")
                for is_new, run in groupby(row, key=lambda cell: cell.is_new)
            ]
            self._print(Text.assemble(" " * INDENT, *runs))

    def _tiles(self, table: Table) -> None:
        from rich.table import Table as Grid

        grid = Grid.grid(padding=(0, INDENT, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column()
        names = [words.seat_name(self.story, seat) for seat in range(len(table.hands))]
        rows = [*zip(names, table.hands, strict=True), (words.LABELS["boneyard"], table.boneyard)]
        for name, tiles in rows:
            grid.add_row(name, words.faces(tiles) or words.LABELS["empty"])
        self._print(grid)

    def _print(self, content: RenderableType) -> None:
        emit(rendered(self.console, content))
