import { Box3, Color, DirectionalLight, HemisphereLight, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { Cameras } from "./cameras";
import { Density } from "./density";
import { drawnBySoftware } from "./software";

const DENSEST = 2; // pixels of the picture for one of the page: more costs time and shows nothing
const STILL = 8; // frames of the screen without a change: then the picture stands; on a busy machine they take longer

/** Layers of what is only drawn in a fine picture, or in a plain one; what is in neither is drawn in both. */
export const FINELY = 1;
export const PLAINLY = 2;

/**
 * The canvas, its scene and its light; draws only when something has changed.
 * Edges are smoothed by the graphics card. Where there is none, the picture is drawn plainly while it moves,
 * as densely as the machine keeps up with, and finely once it stands.
 */
export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly scene = new Scene();
  readonly cameras: Cameras;
  readonly size = new Vector2(1, 1);
  /** What a fit shows. */
  readonly box = new Box3(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
  /** Frames drawn so far, for figures. */
  drawn = 0;
  private readonly bySoftware = drawnBySoftware();
  private readonly renderer: WebGLRenderer;
  private readonly sky = new HemisphereLight(0xffffff, 0x9aa4b2, 1.5);
  private readonly density = new Density();
  private dirty = false;
  private waiting = 0;

  constructor(holder: HTMLElement) {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: !this.bySoftware, alpha: true, stencil: true });
    this.canvas.tabIndex = 0;
    holder.append(this.canvas);
    this.scene.matrixAutoUpdate = false;
    this.cameras = new Cameras(this.canvas, () => this.redraw());
    this.light();
    new ResizeObserver(() => this.resize(holder.clientWidth, holder.clientHeight)).observe(holder);
  }

  /** Asks for a drawing at the next frame; many asks are one drawing. */
  redraw(): void {
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => {
      if (this.dirty) this.drawMoving();
    });
  }

  /** Draws now and finely, so that the canvas can be read in the same turn. */
  draw(): void {
    this.render(DENSEST, FINELY);
    this.canvas.dataset.picture = "still";
  }

  dim(dark: boolean): void {
    this.sky.groundColor = new Color(dark ? 0x3a4250 : 0x9aa4b2);
    this.sky.intensity = dark ? 1.25 : 1.5;
    this.redraw();
  }

  private drawMoving(): void {
    if (!this.bySoftware) {
      this.draw();
      return;
    }
    this.canvas.dataset.picture = "moving";
    this.render(this.density.ratio, PLAINLY);
    const now = Number(document.timeline.currentTime);
    requestAnimationFrame((next) => this.density.took(next - now));
    this.waitUntilStill(STILL);
  }

  private waitUntilStill(frames: number): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => {
      if (frames > 0) this.waitUntilStill(frames - 1);
      else {
        this.draw();
        this.density.rest();
      }
    });
  }

  private render(densest: number, layer: number): void {
    this.dirty = false;
    cancelAnimationFrame(this.waiting);
    this.drawn += 1;
    const ratio = this.bySoftware ? densest : Math.min(densest, window.devicePixelRatio);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    const camera = this.cameras.current;
    camera.layers.set(0);
    camera.layers.enable(layer);
    this.renderer.render(this.scene, camera);
  }

  private resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.size.set(width, height);
    this.renderer.setSize(width, height);
    this.cameras.resize(width, height);
    this.drawMoving();
  }

  private light(): void {
    const key = new DirectionalLight(0xffffff, 1.9);
    key.position.set(2, -3, 4);
    const fill = new DirectionalLight(0xdfe8ff, 0.7);
    fill.position.set(-3, 2, 1.5);
    this.scene.add(this.sky, key, fill);
    for (const light of [this.sky, key, fill]) {
      light.updateMatrix();
      light.matrixAutoUpdate = false;
    }
  }
}
