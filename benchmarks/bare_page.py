"""A page that does nothing: what a browser and a socket take on this machine before a studio does anything.

A slider, a server that sends back what it gets, a canvas of one colour that is drawn again and again. Run as
a program it is that server, on the port given.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_connection, socket

PAGE = """<!doctype html>
<title>bare</title>
<style>body { margin: 0 } canvas { width: 900px; height: 560px; display: block }</style>
<canvas width="900" height="560"></canvas>
<input type="range" min="-3" max="3" step="0.001" aria-label="bare">
<output role="status" aria-label="told">0</output>
<script>
  const [canvas, slider, told] = document.querySelectorAll("canvas, input, output");
  const gl = canvas.getContext("webgl2"), channel = new WebSocket(`ws://${location.host}/ws`);
  let shade = 0, dirty = true, playing = false;
  const frame = () => {
    requestAnimationFrame(frame);
    if (!dirty && !playing) return;
    dirty = false;
    shade = (shade + 0.01) % 1;
    gl.clearColor(shade, shade, shade, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  };
  requestAnimationFrame(frame);
  slider.oninput = () => channel.send(JSON.stringify({ q: [0, Number(slider.value), 0, 0, 0, 0] }));
  channel.onmessage = (event) => {
    told.textContent = JSON.parse(event.data).q[1].toFixed(4);
    dirty = true;
  };
  channel.onopen = () => { document.body.dataset.ready = "yes"; };
  document.onkeydown = () => { playing = true; };
</script>
"""


@contextmanager
def bare_page() -> Iterator[str]:
    """The address of the page, as long as it is needed."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, __file__, str(port)]) as running:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/"
        finally:
            running.terminate()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 30.0
    while True:
        try:
            create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def serve(port: int) -> None:
    """With the parts that the studio's server has, too."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

    async def page(_: Request) -> HTMLResponse:
        return HTMLResponse(PAGE)

    async def echo(channel: WebSocket) -> None:
        await channel.accept()
        async for text in channel.iter_text():
            await channel.send_text(text)

    app = Starlette(routes=[Route("/", page), WebSocketRoute("/ws", echo)])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", ws_per_message_deflate=False)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
