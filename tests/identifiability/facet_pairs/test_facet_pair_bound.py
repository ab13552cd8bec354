"""Facet-pair bounds: degenerate networks, the dense Jacobian as oracle, certificates, determinism, real networks."""

import json
import resource
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import BudgetExceeded, CertificateRejected, ShapeError
from exactrelu.identifiability.facet_pairs.bound import facet_pair_bound
from exactrelu.identifiability.facet_pairs.certificate import facet_pair_certificate
from exactrelu.identifiability.facet_pairs.exact_points import exact_signs, verified_pairs
from exactrelu.limits import Limits
from exactrelu.network.forward import sign_vector
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .dense_jacobian import dense_rank, evidence_points
from .small_networks import DEGENERATE, domains, networks, random_network

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def bound_of(network, domain, seed=0, samples=600, **options):
    return facet_pair_bound(network, domain, rng=Random(seed), samples=samples, **options)


def check_pairs(bound):
    """Everything a facet pair promises, in plain fractions."""
    for pair in bound.pairs:
        below, above = ([Fraction(x, point[0]) for x in point[1:]] for point in (pair.below, pair.above))
        assert bound.domain.contains_strictly(below) and bound.domain.contains_strictly(above)
        s, t = sign_vector(bound.network, below), sign_vector(bound.network, above)
        assert all(s) and all(t)
        assert [k for k in range(len(s)) if s[k] != t[k]] == [pair.neuron] and s[pair.neuron] == -1


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("kind", ["space", "box", "half"])
def test_degenerate_networks_do_not_crash_and_stay_sound(name, kind):
    network = DEGENERATE[name]
    d = network.architecture.inputs
    domain = {"space": Domain.space(d), "box": Domain.box(d, [(-1, 2)]), "half": Domain(d, [tuple([1] * (d + 1))])}[
        kind
    ]
    bound = bound_of(network, domain)
    check_pairs(bound)
    assert bound.dimension <= dense_rank(network, domain, evidence_points(bound))
    facet_pair_certificate(bound).verify()


@SETTINGS
@given(st.data())
def test_bound_is_at_most_the_rank_of_the_jacobian_on_the_cells_of_its_points(data):
    network = data.draw(networks())
    domain = data.draw(domains(network.architecture.inputs))
    bound = bound_of(network, domain, samples=200)
    check_pairs(bound)
    assert bound.dimension == sum(bound.ranks) + network.architecture.outputs * bound.output_rank
    assert bound.dimension <= dense_rank(network, domain, evidence_points(bound)) <= bound.expected_dimension
    facet_pair_certificate(bound).verify()


def test_no_hidden_layer_gives_all_parameters():
    bound = bound_of(DEGENERATE["no hidden layer"], Domain.space(2))
    assert bound.dimension == bound.expected_dimension == 6 and not bound.is_maximal


def test_random_networks_often_reach_the_expected_dimension():
    rng, reached = Random(5), 0
    for _ in range(20):
        network = random_network(rng, (2, 4, 3, 2), [Fraction(rng.randint(-99, 99), 16) for _ in range(40)])
        bound = bound_of(network, Domain.space(2), samples=2000)
        reached += bound.dimension >= bound.expected_dimension - 2
    assert reached >= 3


def test_one_layer_is_complete():
    network = Network([[[1, 2], [3, -1], [-1, 5]], [[1, -2, 3]]], [[1, 2, -1], [4]])
    bound = bound_of(network, Domain.space(2))
    assert bound.is_maximal and bound.ranks == (2, 2, 2) and bound.output_rank == 4


def test_neurons_that_switch_together_give_no_pairs():
    bound = bound_of(DEGENERATE["duplicates"], Domain.space(2))
    assert bound.pairs == () and bound.dimension == bound.output_rank


def test_empty_interior_gives_zero():
    network = Network([[[1]], [[1]]], [[0], [0]])
    assert bound_of(network, Domain.box(1, [(0, 0)])).dimension == 0
    assert bound_of(network, Domain(1, [(-1, 1), (0, -1)])).dimension == 0


def test_same_seed_same_certificate():
    network = random_network(Random(2), (3, 5, 4, 2), range(-9, 10))
    texts = {facet_pair_certificate(bound_of(network, Domain.box(3, [(-3, 3)]), seed=7)).text for _ in range(2)}
    assert len(texts) == 1


def test_a_larger_claim_or_a_changed_point_is_rejected():
    network = random_network(Random(4), (2, 4, 3, 1), range(-9, 10))
    bound = bound_of(network, Domain.space(2), samples=3000)
    document = json.loads(facet_pair_certificate(bound).text)
    with pytest.raises(CertificateRejected):
        Certificate({**document["claim"], "dimension": bound.dimension + 1}, document["evidence"]).verify()
    pairs = document["evidence"]["pairs"]
    pairs[0] = [pairs[0][0], pairs[0][2], pairs[0][2]]
    with pytest.raises(CertificateRejected):
        Certificate(document["claim"], document["evidence"]).verify()


def test_exact_test_of_pairs_rejects_every_fault():
    form = integral_form(Network([[[1], [1]], [[1, 1]]], [[0, -3], [0]]))
    domain, active = Domain.box(1, [(-2, 5)]), np.array([[False, False]])

    def test(neuron, below, above, pattern=active, where=domain):
        return bool(verified_pairs(form, where, [neuron], [below], [above], pattern)[0])

    assert test(0, (1, -1), (1, 1))
    assert not test(1, (1, -1), (1, 1))
    assert not test(0, (1, -1), (1, 4))
    assert not test(0, (1, 0), (1, 1))
    assert not test(0, (1, -2), (1, 1))
    assert not test(0, (1, -1), (1, 1), np.array([[True, False]]))
    assert not test(0, (1, 1), (1, 2))


def test_exact_signs_agree_with_fractions():
    rng = Random(8)
    network = random_network(rng, (3, 4, 4, 1), [Fraction(k, 5) for k in range(-6, 7)])
    points = [(rng.randint(1, 4), *(rng.randint(-5, 5) for _ in range(3))) for _ in range(600)]
    found = exact_signs(integral_form(network), points)
    for point, signs in zip(points, found.tolist()):
        assert tuple(signs) == sign_vector(network, [Fraction(x, point[0]) for x in point[1:]])


def test_limits():
    network = random_network(Random(4), (2, 4, 3, 1), range(-9, 10))
    with pytest.raises(BudgetExceeded):
        bound_of(network, Domain.space(2), limits=Limits(max_bits=2))
    early = bound_of(network, Domain.space(2), limits=Limits(max_seconds=1e-9))
    assert early.stopped and early.pairs == () and early.dimension == early.output_rank
    with pytest.raises(ShapeError):
        bound_of(network, Domain.space(3))


def test_progress_is_reported():
    seen = []
    bound_of(
        random_network(Random(4), (2, 4, 3, 1), range(-9, 10)), Domain.space(2), progress=lambda *a: seen.append(a)
    )
    assert seen and seen[0][0] == "general round" and all(a[1] <= a[2] for a in seen)


NETWORKS = Path(__file__).parents[3] / "examples" / "networks"


@pytest.mark.slow
def test_acas_xu_on_its_input_box():
    path = NETWORKS / "acasxu_v2a_1_1.nnet"
    from exactrelu.network.files.load import load_with_box

    loaded = load_with_box(path)
    start = time.monotonic()
    bound = bound_of(loaded.network, Domain.box(5, loaded.input_box), samples=60_000)
    assert bound.dimension >= 11_800
    assert time.monotonic() - start < 45
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2_000_000
    certificate = facet_pair_certificate(bound)
    assert len(certificate.text) < 5_000_000
    certificate.verify()
