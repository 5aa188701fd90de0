"""The money of a game for stakes: commission, what the winner receives, the win rate that breaks even.

Each player stakes S; in point mode the loser also pays P for each of the D points between the two. Each
player pays a commission c: of A = S + D P / 2 the percentage of A's bracket, rounded half up to the cent.
The winner receives 2 S + D P - 2 c, having staked S, and the loser is down S + D P, so that a player who
wins with probability p neither gains nor loses where

    p (S + D P - 2 c) = (1 - p) (S + D P) ,     p = (S + D P) / (2 (S + D P) - 2 c) .
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from analyzer.commission_table import CommissionTable
from analyzer.errors import FivesError, shown

CENT = Decimal("0.01")
MOST_MONEY = Decimal(1_000_000_000)
MOST_POINTS = 1_000_000
_MONEY = re.compile(r"[0-9]+(\.[0-9]{1,2})?")

SOURCE_STAKE = Decimal(110)
SOURCE_NOTE = (
    "The source's own example for a stake of 110 has commissions of 6.49 and 207.02 for the winner, which is "
    "5.9 %; its table says 5 %, and the table stands."
)


def money(name: str, text: str, *, zero: bool = False) -> Decimal:
    """Return an amount written as digits with at most two decimals; FivesError where it is none.

    Parameters
    ----------
    zero : whether 0 will do.
    """
    if not _MONEY.fullmatch(text):
        raise FivesError(f"{name} is {shown(text)}: give an amount such as 12.50, with at most two decimals.")
    amount = Decimal(text)
    if amount == 0 and not zero:
        raise FivesError(f"{name} is {text}: it must be more than 0.")
    if amount > MOST_MONEY:
        raise FivesError(f"{name} is {shown(text)}: it must be at most {MOST_MONEY:,}.")
    return amount


@dataclass(frozen=True)
class Terms:
    """What two players play for.

    Attributes
    ----------
    stake : each player's.
    price : of a point between the two; 0: the stake alone counts.
    table : the commissions.
    """

    stake: Decimal
    price: Decimal
    table: CommissionTable

    def purse(self, points: int) -> Purse:
        """Return the money of a game that ends so many points apart."""
        half = self.stake + points * self.price / 2
        percent = self.table.bracket(half).percent
        commission = (half * percent / 100).quantize(CENT, ROUND_HALF_UP)
        return Purse(self.stake, points * self.price, percent, commission)

    def settled(self, margin: int) -> Decimal:
        """Return what a game brings a player who ends so many points ahead, or, below 0, behind.

        A game that nobody wins brings nothing: the stakes go back, without a commission.
        """
        if margin == 0:
            return Decimal(0)
        purse = self.purse(abs(margin))
        return purse.gain if margin > 0 else -purse.loss


@dataclass(frozen=True)
class Purse:
    """The money of one game.

    Attributes
    ----------
    stake : each player's.
    extra : what the points between the two are worth.
    percent, commission : of each player.
    """

    stake: Decimal
    extra: Decimal
    percent: Decimal
    commission: Decimal

    @property
    def winner_receives(self) -> Decimal:
        """Both stakes and the points' worth less both commissions."""
        return 2 * self.stake + self.extra - 2 * self.commission

    @property
    def gain(self) -> Decimal:
        """What the winner has more than before the game."""
        return self.winner_receives - self.stake

    @property
    def loss(self) -> Decimal:
        """What the loser has less."""
        return self.stake + self.extra

    @property
    def break_even(self) -> float:
        """The win rate at which gains and losses cancel; above 1 where no win rate does."""
        return break_even(self.gain, self.loss)


def break_even(gain: Decimal, loss: Decimal) -> float:
    """Return the win rate at which a mean gain and a mean loss cancel: loss / (gain + loss)."""
    return float(loss / (gain + loss))
