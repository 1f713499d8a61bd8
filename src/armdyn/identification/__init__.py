"""From an experiment worth running to a robot file one can trust ([Siciliano2009] 7.4)."""
