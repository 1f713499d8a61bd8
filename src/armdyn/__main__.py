"""`python -m armdyn`."""

from armdyn.cli.main import main

main()
