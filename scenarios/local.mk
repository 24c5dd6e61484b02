# scenarios: the shipped scripts.
