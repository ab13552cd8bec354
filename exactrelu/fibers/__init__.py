"""All parameters with the same function, as exact semi-algebraic sets, and the quantities gradient flow conserves."""
