/** Programs that draw without a graphics card, as they name themselves. */
const NAMES = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether pictures are drawn by the processor: each pixel and each line costs time then. */
export function drawnBySoftware(): boolean {
  const context = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (!context) return false;
  const told = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" && NAMES.test(name);
}
