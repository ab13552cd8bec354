"""Upper bounds of the functional dimension from exact symmetries, and the facts about activity they rest on."""
