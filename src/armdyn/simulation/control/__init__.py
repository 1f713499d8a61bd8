"""Controllers, the references they follow, their gains and limits."""
