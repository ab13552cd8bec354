"""Planted faults in the kinds about germs and complete fibers: (file, text, changed text)."""

GERM, LOCAL = "claims/germ.py", "claims/local_function.py"
FIBER, TIGHT = "claims/fiber.py", "claims/tight_fiber.py"

FIBER_FAULTS = {
    "tree not needed": (FIBER, 'require(own == form, "a member', 'require(True, "a member'),
    "members equivalent": (FIBER, "        check_inequivalent(one, two)", "        pass"),
    "equality unchecked": (FIBER, '            check_equal(self.network, member, claim["domain"], tree)', "                pass"),
    "candidates all known": (FIBER, "require(known,", "require(True,"),
    "candidates all refuted": (FIBER, "if any(a * p != b * q", "if True or any(a * p != b * q"),
    "fewer rich hyperplanes": (TIGHT, "require(found == needed,", "require(found <= needed,"),
    "all facets rich": (TIGHT, "if rank(facet.gradients) == self.widths[0]:", "if True:"),
    "one orientation": (TIGHT, "[1, -1] if last", "[1] if last"),
    "sides turned": (TIGHT, "if not any(-s in", "if not any(s in"),
    "shallow after all": (LOCAL, "require(is_not_shallow(network, x, u, n),", "require(True,"),
    "codimension": (LOCAL, "require(here.codimension == 2,", "require(True,"),
    "rays turn back": (LOCAL, "require(turns == 1,", "require(True,"),
    "signs in a sector": (LOCAL, "require(one_sign,", "require(True,"),
    "pictures that occur": (LOCAL, "require(not occurs(visible),", "require(True,"),
}
