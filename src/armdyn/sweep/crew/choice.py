"""Which crew a sweep has."""

from __future__ import annotations

from contextlib import AbstractContextManager

from armdyn.sweep.crew.local import local_crew
from armdyn.sweep.crew.outcomes import Crew
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.study import Study


def crew_for(
    study: Study, manifest: Manifest, workers: int, dask: str | None
) -> AbstractContextManager[Crew]:
    """Processes of this machine, or those of a Dask cluster, from where the context begins until it ends."""
    if dask is None:
        return local_crew(study, manifest, workers)
    from armdyn.sweep.crew.dask import dask_crew

    return dask_crew(study, manifest, workers, dask)
