"""Parameters of ReLU networks: values, symmetries, files; knows no polyhedra."""
