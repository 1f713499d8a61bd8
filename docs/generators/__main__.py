"""Write the pages and figures that are computed: `python docs/generators [PAGE ..]`."""

import sys
from importlib import import_module
from pathlib import Path

PAGES = (
    "counts",
    "licences",
    "speed",
    "milicevic2007",
    "szkodny1995",
    "bejczy1974",
    "siciliano2009",
    "kvrgic2020",
    "mrnea_toy",
    "simulation_examples",
    "retiming_lola15",
)


def main() -> None:
    """Write all pages, or those named."""
    folder = Path(__file__).parent.parent
    for name in sys.argv[1:] or PAGES:
        import_module(name).write(folder)


if __name__ == "__main__":
    main()
