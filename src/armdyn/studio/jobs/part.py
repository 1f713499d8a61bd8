"""The part that has jobs done by workers."""

from __future__ import annotations

from urllib.parse import quote

from pydantic_core import from_json

from armdyn.studio.clients import Client
from armdyn.studio.jobs.exports import SUFFIXES
from armdyn.studio.messages.answers import Download, Failure, Progress
from armdyn.studio.messages.model import Request
from armdyn.studio.messages.requests import DownloadRequest
from armdyn.studio.router import Answer, Encoded, Handler, Part


async def job(client: Client, request: Request) -> Answer:
    """Have a worker answer."""

    async def told(progress: Progress) -> None:
        await client.tell(request, progress)

    return await client.studio.workers.run(request, told)


async def download(client: Client, request: DownloadRequest) -> Answer:
    """Have a worker write a file, and say where it can be fetched."""
    downloads = client.studio.downloads
    target = downloads.new_file(SUFFIXES[request.what])

    async def told(progress: Progress) -> None:
        await client.tell(request, progress)

    answer = await client.studio.workers.run(request, told, target=str(target))
    if isinstance(answer, Failure):
        return answer
    assert isinstance(answer, Encoded)
    said = Download.model_validate(from_json(answer.data)["result"])
    key = downloads.add(target, said.name)
    return Download(url=f"/download/{quote(key)}", name=said.name, size=said.size)


PART = Part(
    {
        **{
            name: Handler(job, job=True)
            for name in ("verify", "retime", "run_file", "terms", "study", "derive")
        },
        "download": Handler(download, job=True),
    }
)
