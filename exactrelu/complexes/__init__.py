"""Network meets polyhedra: the canonical complex, the breakpoint complex, the function; judges nothing."""
