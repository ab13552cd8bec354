r"""Certified upper bounds of pre-activations on boxes: backward linear relaxation in floats with a running error bound.

The network is the exact one that a `FloatNetwork` stands for: its float entries w' satisfy |w' - w| <= 4u |w'| +
2^-1074, u = 2^-53. A functional g on the box is carried backward as  g <= c.a^(k) + kappa + err  with *float numbers
c taken as exact*: whatever was lost by rounding c is moved into err, using bounds of the quantities that c
multiplies.

* Linear step (d.z + kappa + err with z = W a + b).  The computed c' = fl(d W') satisfies |c' - d W| <= (n+8) u
  |d||W'| + underflow, by the standard bound for a sum of n products in any order, and |d.b - fl(d.b')| is bounded
  alike.  With |a| <= s this changes the value by at most 2 (n+8) u sum_j |d_j| v_j, v = |W'| s + |b'|.  The factor 2
  covers that v and the sum are themselves rounded.
* Relaxation of relu on [L, U], L < 0 < U: relu(z) <= p z + t holds on the interval, by convexity, if it holds at both
  ends, i.e. t >= -pL and t >= U - pU; p is *any* float (here fl(U/(U-L))) and t is raised by 2^-40 t + 2^-50 U +
  2^-1000, more than these two expressions are rounded by.  From below relu(z) >= q z for q in {0, 1}.  The new d = c
  p is rounded by at most u |d|, which changes d.z by at most 2u sum |d| max(|L|,|U|).
* Underflow: every product loses at most 2^-1074 absolutely, times a quantity it multiplies; all of that together is
  below 2^-1000 (1 + sum|d|)(1 + sum s), which is added in every step.
* The sums that make up err are multiplied by 1 + 2^-30, more than they are rounded by (all terms are >= 0, at most
  2^20 of them).
* Overflow gives infinities or NaN; they propagate to the bound, and a bound that is not a finite number <= 0 proves
  nothing.

These statements assume round-to-nearest; fused multiply-add only makes errors smaller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork

UNIT = 2.0**-53
_TINY = 2.0**-1000
_GROW = 1.0 + 2.0**-30
_MULTIPLIERS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, eq=False)
class Ranges:
    """Certified bounds of the pre-activations of one layer on several boxes, shapes (boxes, n_l)."""

    low: Floats
    high: Floats


class BoxRelaxation:
    """Bounds on boxes for one network, with facts that hold on the whole domain.

    Args:
        network: the floats, and what they stand for.
        known: for each hidden layer bounds (1, n_l) that hold on the whole domain (infinite if nothing is known).
    """

    def __init__(self, network: FloatNetwork, known: list[Ranges] | None = None) -> None:
        self.network = network
        self.known = (
            known
            if known is not None
            else [Ranges(np.full((1, len(b)), -np.inf), np.full((1, len(b)), np.inf)) for b in network.biases[:-1]]
        )

    def ranges(self, low: Floats, high: Floats, layers: int) -> list[Ranges]:
        """Return bounds of all pre-activations of layers 1..layers on the boxes [low, high], shapes (boxes, d)."""
        found: list[Ranges] = []
        for layer in range(1, layers + 1):
            width = len(self.network.biases[layer - 1])
            unit = np.eye(width)
            bound = self.upper(low, high, found, np.concatenate([unit, -unit])[None])
            known = self.known[layer - 1]
            found.append(Ranges(np.fmax(-bound[:, width:], known.low), np.fmin(bound[:, :width], known.high)))
        return found

    def upper(
        self, low: Floats, high: Floats, below: list[Ranges], functional: Floats, source: int | None = None
    ) -> Floats:
        """Return certified upper bounds of functionals of z^(k), k = len(below) + 1, shape (boxes, m).

        Args:
            below: bounds of layers 1..k-1 on the boxes.
            functional: coefficients, shape (1 or boxes, m, n_k).
            source: a neuron of layer k-1 whose pre-activation is assumed to be >= 0; its lower bound in `below` must
                be. The bounds then hold on that part of the boxes, and there are several for every functional.
        """
        d = functional
        kappa = np.zeros((len(low), functional.shape[1]))
        error = np.zeros_like(kappa)
        for layer in range(len(below) + 1, 0, -1):
            weights, bias = self.network.weights[layer - 1], self.network.biases[layer - 1]
            size = np.maximum(np.abs(low), np.abs(high)) if layer == 1 else np.maximum(below[layer - 2].high, 0.0)
            kappa, error = _linear_step(d, weights, bias, size, kappa, error)
            c = d @ weights
            if layer == 1:
                break
            if source is not None and layer == len(below) + 1:
                c, kappa, error = _with_multipliers(c, source, kappa, error)
            d, kappa, error = _relu_step(c, below[layer - 2], kappa, error)
        return _over_box(c, low, high, size, kappa, error)


def _with_multipliers(c: Floats, source: int, kappa: Floats, error: Floats) -> tuple[Floats, Floats, Floats]:
    """Return copies of the functionals c.a with larger coefficients of a_source = z_source >= 0.

    Where z_source >= 0, replacing its coefficient by any larger float is an upper bound; rounding of a sum with a
    number >= 0 never goes below the other summand.
    """
    count = len(_MULTIPLIERS)
    scale = np.abs(c).max(axis=2)
    copies = np.repeat(c, count, axis=1)
    raised = c[:, :, source, None] + scale[:, :, None] * np.array(_MULTIPLIERS)
    copies[:, :, source] = raised.reshape(len(c), -1)
    return copies, np.repeat(kappa, count, axis=1), np.repeat(error, count, axis=1)


def _linear_step(
    d: Floats, weights: Floats, bias: Floats, size: Floats, kappa: Floats, error: Floats
) -> tuple[Floats, Floats]:
    """Return kappa and err after substituting z = W a + b, |a| <= size."""
    terms = max(weights.shape) + 8
    spread = size @ np.abs(weights).T + np.abs(bias)
    modulus = np.abs(d)
    lost = 2 * terms * UNIT * (modulus @ spread[:, :, None])[:, :, 0]
    lost = lost + _TINY * (1.0 + modulus.sum(axis=2)) * (1.0 + size.sum(axis=1, keepdims=True))
    kappa = kappa + d @ bias
    return kappa, (error + lost + 2 * UNIT * np.abs(kappa)) * _GROW


def _relu_step(c: Floats, ranges: Ranges, kappa: Floats, error: Floats) -> tuple[Floats, Floats, Floats]:
    """Return d, kappa, err with c.relu(z) + kappa + err <= d.z + kappa' + err' for z in the ranges."""
    low, high = ranges.low, ranges.high
    stable = (high <= 0) | (low >= 0)
    on = np.where(low >= 0, 1.0, 0.0)
    slope = np.where(stable, np.where(high <= 0, 0.0, on), high / (high - low))
    raised = np.maximum(-slope * low, high - slope * high) * (1.0 + 2.0**-40) + 2.0**-50 * high + _TINY
    shift = np.where(stable, 0.0, raised)
    floor = np.where(stable, np.where(high <= 0, 0.0, on), np.where(high > -low, 1.0, 0.0))
    positive, negative = np.maximum(c, 0.0), np.minimum(c, 0.0)
    d = positive * slope[:, None, :] + negative * floor[:, None, :]
    extra = (positive @ shift[:, :, None])[:, :, 0]
    modulus = np.maximum(np.abs(low), np.abs(high))
    lost = 2 * UNIT * (np.abs(d) @ modulus[:, :, None])[:, :, 0] + 2 * (c.shape[2] + 8) * UNIT * extra
    lost = lost + _TINY * (1.0 + np.abs(d).sum(axis=2)) * (1.0 + modulus.sum(axis=1, keepdims=True))
    kappa = kappa + extra
    return d, kappa, (error + lost + 2 * UNIT * np.abs(kappa)) * _GROW


def _over_box(c: Floats, low: Floats, high: Floats, size: Floats, kappa: Floats, error: Floats) -> Floats:
    """Return an upper bound of c.y + kappa + err for y in the box."""
    top = np.maximum(c * low[:, None, :], c * high[:, None, :]).sum(axis=2)
    modulus = (np.abs(c) @ size[:, :, None])[:, :, 0]
    lost = 2 * (c.shape[2] + 8) * UNIT * (modulus + np.abs(kappa) + np.abs(top)) + _TINY * (1.0 + modulus)
    return np.asarray((kappa + top) + (error + lost) * _GROW)
