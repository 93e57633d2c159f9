"""The maximum entropy Nash equilibrium of a symmetric zero-sum game.

The mix p solves p = softmax(payoffs p / e) for a small temperature e: each choice is played the
more often the better it does against the mix (R. McKelvey and T. Palfrey, Quantal Response
Equilibria for Normal Form Games, 1995). Then no choice gains more than e log n against the mix. As
e goes to 0, p goes to the equilibrium of the highest entropy, which is unique: e weighs the entropy
against the gain, a Tikhonov regularization of a monotone problem. Newton's method follows p from a
high temperature down.
"""

import math

import numpy as np

from league.ratings.result_table import Floats

COLDEST = 1e-8
"""The last temperature, in parts of the largest payoff."""

STEPS_MAX = 30
STEP_MIN = 1e-6
SHARE_STEP_MIN = 1e-9
"""The last step of Newton's method: of the logarithm of a share, relative, and of a share."""

NEGLIGIBLE = -25.0
"""The logarithm of a share that hardly counts: up to it a step may go as far as it likes."""

SLOWEST = 0.99
"""The ratio of two temperatures at which there is no use in going on: the mix is good enough."""


def equilibrium(payoffs: Floats) -> Floats:
    """Return the share of each choice in the mix; shares add up to 1.

    `payoffs` is antisymmetric, of the shape (choices, choices), with the row's gain against the
    column.
    """
    count, largest = len(payoffs), float(np.abs(payoffs).max(initial=0))
    mix = np.append(np.full(count, -math.log(max(count, 1))), math.log(max(count, 1)))
    temperature, ratio = 1.0, 0.25
    while largest and temperature > COLDEST and ratio < SLOWEST:
        colder = max(ratio * temperature, COLDEST)
        found = _solve(payoffs / (largest * colder), mix)
        if found is None:
            ratio = math.sqrt(ratio)
        else:
            mix, temperature, ratio = found, colder, max(ratio**1.5, 1e-3)
    shares: Floats = np.exp(mix[:-1])
    shares /= shares.sum()
    return shares


def _solve(payoffs: Floats, mix: Floats) -> Floats | None:
    """Solve p = softmax(payoffs p) from a mix nearby; None if it is too far away.

    A mix is the logarithms of the shares, then their entropy.
    """
    count = len(payoffs)
    slope = np.zeros((count + 1, count + 1))
    slope[:-1, -1] = 1
    for _ in range(STEPS_MAX):
        logs, shares = mix[:-1], np.exp(mix[:-1])
        slope[:-1, :-1] = np.eye(count) - payoffs * shares
        slope[-1, :-1] = shares
        miss = np.append(logs + mix[-1] - payoffs @ shares, shares.sum() - 1)
        step = np.linalg.solve(slope, -miss)
        change = step[:-1]
        # Upwards, a straight line for the shares overshoots less than one for their logarithms.
        up = np.maximum(
            logs + np.log1p(np.maximum(change, 0)), np.minimum(logs + change, NEGLIGIBLE)
        )
        mix = np.append(np.minimum(np.where(change > 0, up, logs + change), 1), mix[-1] + step[-1])
        if (
            np.abs(shares * change).max() < SHARE_STEP_MIN
            and np.abs(change / (1 + np.abs(logs))).max() < STEP_MIN
        ):
            return mix
    return None
