import { token } from "../core/theme";
import type { Stage } from "../view/stage";

/** The picture as it is seen, with its ground, as a PNG. */
export async function picture(stage: Stage): Promise<Blob> {
  stage.draw();
  const { canvas } = stage;
  const flat = document.createElement("canvas");
  [flat.width, flat.height] = [canvas.width, canvas.height];
  const context = flat.getContext("2d")!;
  const ground = context.createLinearGradient(0, 0, 0, flat.height);
  ground.addColorStop(0, token("sky-top"));
  ground.addColorStop(1, token("sky-bottom"));
  context.fillStyle = ground;
  context.fillRect(0, 0, flat.width, flat.height);
  context.drawImage(canvas, 0, 0);
  return new Promise((resolve, reject) => {
    flat.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
  });
}

/** Hands a file to the browser's downloads. */
export function handOver(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  handOverAddress(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function handOverAddress(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
