"""Random points of the interior of a domain, in the coordinates of a frame.

Boxes (bounded or not) are sampled coordinate by coordinate, with a share of coordinates close to the faces, where
rare neurons like to fire; other polyhedra by hit-and-run from an interior point that a damped Newton iteration on
the logarithmic barrier finds.  The points are proposals: strictness is tested exactly later.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from exactrelu.identifiability.facet_pairs.affine_frame import (
    AffineFrame,
    Floats,
    binary_exponent,
    dyadic,
    fraction_float,
    interval_frame,
)
from exactrelu.identifiability.facet_pairs.float_network import typical_exponent
from exactrelu.network.integral_form import IntegralForm
from exactrelu.polyhedra.domain import Domain

SCALES = (1.0, 8.0, 128.0, 8192.0)
"""Sizes of the points sampled in unbounded directions, in units of the frame."""

_FACE_MARGIN = 2.0**-24


@dataclass(frozen=True, eq=False)
class Region:
    """The domain in frame coordinates: bounds, possibly infinite, and rows b + a.y >= 0 of the other inequalities.

    Attributes:
        low, high: shape (d,); rows: shape (m, d+1), largest coefficient 1.
        start: an interior point, shape (d,), or None if none was found.
    """

    frame: AffineFrame
    low: Floats
    high: Floats
    rows: Floats
    start: Floats | None

    def inside(self, points: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which points satisfy every inequality strictly, in floats."""
        good = ((points > self.low) & (points < self.high)).all(axis=1)
        if len(self.rows):
            good &= (points @ self.rows[:, 1:].T + self.rows[:, 0] > 0).all(axis=1)
        return np.asarray(good)


def region(domain: Domain, form: IntegralForm) -> Region:
    """Return a frame for the domain and its floating-point picture."""
    bounds = domain.bounding_intervals
    if bounds is not None:
        return _box_region(bounds, form)
    frame = AffineFrame(
        (Fraction(0),) * domain.dimension, tuple(typical_exponent(form, k) for k in range(domain.dimension))
    )
    first = _general_region(domain, frame)
    if first.start is None:
        return first
    sample = hit_and_run(first, np.random.default_rng(0), 64 * domain.dimension)
    if not len(sample) or not np.isfinite(sample).all():
        return first
    centers, exponents = [], []
    for k in range(domain.dimension):
        spread = max(float(np.ptp(sample[:, k])) / 2, 2.0**-200)
        exponent = binary_exponent(Fraction(spread)) + frame.exponents[k]
        center = Fraction(float(np.median(sample[:, k]))) * Fraction(2) ** frame.exponents[k]
        centers.append(dyadic(center, exponent - 6))
        exponents.append(exponent)
    return _general_region(domain, AffineFrame(tuple(centers), tuple(exponents)))


def _box_region(bounds: tuple[tuple[Fraction | None, Fraction | None], ...], form: IntegralForm) -> Region:
    centers, exponents = [], []
    for k, (low, high) in enumerate(bounds):
        if low is not None and high is not None and low < high:
            center, exponent = interval_frame(low, high)
        else:
            exponent = typical_exponent(form, k)
            end = low if low is not None else high
            center = Fraction(0) if end is None else dyadic(end, min(exponent, binary_exponent(end)) - 20)
        centers.append(center)
        exponents.append(exponent)
    frame = AffineFrame(tuple(centers), tuple(exponents))
    low_y = [-np.inf if low is None else fraction_float(frame.to_frame(k, low)) for k, (low, _) in enumerate(bounds)]
    high_y = [np.inf if high is None else fraction_float(frame.to_frame(k, high)) for k, (_, high) in enumerate(bounds)]
    empty = any(low is not None and high is not None and low >= high for low, high in bounds)
    lows, highs = np.array(low_y), np.array(high_y)
    middle = (
        np.where(np.isfinite(lows) & np.isfinite(highs), (lows + highs) / 2, 0.0)
        if not empty
        else np.zeros(len(bounds))
    )
    middle = np.where(np.isfinite(lows) & ~np.isfinite(highs), lows + 1, middle)
    middle = np.where(~np.isfinite(lows) & np.isfinite(highs), highs - 1, middle)
    return Region(frame, lows, highs, np.zeros((0, len(bounds) + 1)), None if empty else middle)


def _general_region(domain: Domain, frame: AffineFrame) -> Region:
    rows = []
    for row in domain.integer_rows:
        constant, moved = frame.moved_row(row)
        exponent = max((binary_exponent(x) for x in moved if x), default=binary_exponent(constant))
        rows.append([fraction_float(x, -exponent) for x in (constant, *moved)])
    table = np.array(rows).reshape(len(rows), domain.dimension + 1)
    free = np.full(domain.dimension, np.inf)
    return Region(frame, -free, free, table, interior_point(table))


def interior_point(rows: Floats) -> Floats | None:
    """Return a point with b + a.y > 0 for all rows, by Newton steps on the barrier of the problem max s, slack >= s.

    The norm of y is kept finite by a small quadratic term; None when no strict point was met within 200 steps.
    """
    constants, normals = rows[:, 0], rows[:, 1:]
    d = normals.shape[1]
    y, s = np.zeros(d), float(min(constants.min(initial=1.0), 1.0)) - 1.0
    weight = 1.0
    for step in range(200):
        slack = constants + normals @ y
        if slack.min(initial=1.0) > 0:
            return y
        gap = slack - s
        inverse = 1.0 / gap
        gradient = np.append(normals.T @ inverse - 1e-9 * y, weight - inverse.sum())
        scaled = np.hstack([normals, -np.ones((len(rows), 1))]) * inverse[:, None]
        hessian = scaled.T @ scaled + 1e-9 * np.eye(d + 1)
        if not np.isfinite(hessian).all() or not np.isfinite(gradient).all():
            return None
        move = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        change = normals @ move[:d] - move[d]
        shrinking = change < 0
        limit = float((gap[shrinking] / -change[shrinking]).min(initial=np.inf))
        length = min(1.0, 0.9 * limit)
        y, s = y + length * move[:d], s + length * float(move[d])
        if step % 4 == 3:
            weight *= 4.0
    return None


def hit_and_run(place: Region, rng: np.random.Generator, count: int) -> Floats:
    """Return points of a random walk through the polyhedron; unbounded chords are cut at the sampled scales."""
    assert place.start is not None
    walkers = min(256, count)
    d = place.rows.shape[1] - 1
    now = np.tile(place.start, (walkers, 1))
    out: list[Floats] = []
    warm_up = 10
    for step in range(warm_up + -(-count // walkers)):
        direction = rng.standard_normal((walkers, d)) * (rng.random((walkers, d)) < 0.7)
        slack = now @ place.rows[:, 1:].T + place.rows[:, 0]
        speed = direction @ place.rows[:, 1:].T
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = -slack / speed
        up = np.where(speed < 0, ratio, np.inf).min(axis=1, initial=np.inf)
        down = np.where(speed > 0, ratio, -np.inf).max(axis=1, initial=-np.inf)
        reach = np.array(SCALES)[rng.integers(0, len(SCALES), walkers)]
        up, down = np.minimum(up, reach), np.maximum(down, -reach)
        where = rng.random(walkers)
        where = np.where(rng.random(walkers) < 0.2, np.rint(where) * 0.998 + 0.001, where)
        moved = now + (down + where * (up - down))[:, None] * direction
        good = place.inside(moved)
        now = np.where(good[:, None], moved, now)
        if step >= warm_up:
            out.append(now.copy())
    return np.concatenate(out)[:count] if out else np.zeros((0, d))


def sample_points(place: Region, rng: np.random.Generator, count: int) -> Floats:
    """Return random points strictly inside (in floats), shape (at most count, d)."""
    d = place.frame.dimension
    if place.start is None:
        return np.zeros((0, d))
    if len(place.rows):
        points = hit_and_run(place, rng, count)
        return points[place.inside(points)]
    columns = [_coordinate(place.low[k], place.high[k], rng, count) for k in range(d)]
    points = np.stack(columns, axis=1)
    faces = rng.random((count, 1)) / 2
    draw = rng.random((count, d))
    margin = np.where(np.isfinite(place.high - place.low), place.high - place.low, 1.0) * _FACE_MARGIN
    points = np.where((draw < faces / 2) & np.isfinite(place.low), place.low + margin, points)
    points = np.where((draw > 1 - faces / 2) & np.isfinite(place.high), place.high - margin, points)
    if not np.isfinite(place.low).any() and not np.isfinite(place.high).any():
        points *= np.array(SCALES)[rng.integers(0, len(SCALES), count)][:, None]
        points = np.where(rng.random((count, d)) < 0.2, points / 64, points)
    return points[place.inside(points)]


def _coordinate(low: float, high: float, rng: np.random.Generator, count: int) -> Floats:
    if np.isfinite(low) and np.isfinite(high):
        return np.asarray(low + rng.random(count) * (high - low))
    if not np.isfinite(low) and not np.isfinite(high):
        return rng.standard_normal(count)
    away = np.abs(rng.standard_normal(count)) * np.array(SCALES)[rng.integers(0, len(SCALES), count)]
    return np.asarray(low + away if np.isfinite(low) else high - away)
