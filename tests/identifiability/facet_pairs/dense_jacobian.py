"""An oracle: the Jacobian on strict cells in plain Python fractions, by forward differentiation of formulas.

Independent of the engine: affine forms are lists of fractions, the derivative by one parameter at a time is
    propagated forward.
"""

from fractions import Fraction

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import common_denominator


def pattern(network, point):
    """Signs of all hidden pre-activations, layer by layer, at a rational point."""
    activation, signs = list(point), []
    for rows, bias in zip(network.weights[:-1], network.biases[:-1]):
        z = [sum((w * a for w, a in zip(row, activation)), b) for row, b in zip(rows, bias)]
        signs.append(tuple((x > 0) - (x < 0) for x in z))
        activation = [max(x, Fraction(0)) for x in z]
    return tuple(signs)


def _affine(rows, bias, forms):
    """W forms + b for affine forms given as lists [constant, x1, ..., xd]."""
    out = []
    for row, b in zip(rows, bias):
        form = [sum((w * f[c] for w, f in zip(row, forms)), Fraction(0)) for c in range(len(forms[0]))]
        form[0] += b
        out.append(form)
    return out


def _masked(forms, signs):
    return [form if sign > 0 else [Fraction(0)] * len(form) for form, sign in zip(forms, signs)]


def cell_rows(network, signs):
    """Rows (output, coefficient) of J on the strict cell with these signs; columns are the parameters in order."""
    d = network.architecture.inputs
    forms = [[[Fraction(int(c == k + 1)) for c in range(d + 1)] for k in range(d)]]
    for layer, (rows, bias) in enumerate(zip(network.weights[:-1], network.biases[:-1])):
        forms.append(_masked(_affine(rows, bias, forms[-1]), signs[layer]))
    one = [Fraction(int(c == 0)) for c in range(d + 1)]
    columns = []
    for layer, rows in enumerate(network.weights):
        for i in range(len(rows)):
            for below in [*forms[layer], one]:
                tangent = [below if k == i else [Fraction(0)] * (d + 1) for k in range(len(rows))]
                for above in range(layer + 1, len(network.weights)):
                    tangent = _masked(tangent, signs[above - 1])
                    zero = [Fraction(0)] * len(network.biases[above])
                    tangent = _affine(network.weights[above], zero, tangent)
                columns.append([x for form in tangent for x in form])
    return [list(row) for row in zip(*columns)]


def strict_patterns(network, domain, points):
    """Distinct strict sign patterns at those points that are strictly inside the domain."""
    inside = [point for point in points if domain.contains_strictly(point)]
    found = {pattern(network, point) for point in inside}
    return sorted(signs for signs in found if all(all(layer) for layer in signs))


def dense_rank(network, domain, points):
    """Exact rank over Q of J on the strict cells of these points: a lower bound of the functional dimension."""
    rows = [row for signs in strict_patterns(network, domain, points) for row in cell_rows(network, signs)]
    whole = []
    for row in rows:
        scale = common_denominator(row)
        whole.append([int(x * scale) for x in row])
    return rank(whole, network.parameters) if whole else 0


def random_points(rng, d, count, scales=(1, 4, 32)):
    """Random rational points."""
    return [
        tuple(Fraction(rng.randint(-4096, 4096) * rng.choice(scales), 1024) for _ in range(d)) for _ in range(count)
    ]


def evidence_points(bound):
    """The points of a facet-pair bound as rational points."""
    rows = [point for pair in bound.pairs for point in (pair.below, pair.above)] + list(bound.output_points)
    return [tuple(Fraction(x, row[0]) for x in row[1:]) for row in rows]
