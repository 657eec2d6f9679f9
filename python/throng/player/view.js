'use strict';
// Which part of the world is on the screen, and the gestures that change it.

const CLOSEST = 400; // pixels per m

class View {
  constructor(box) {
    this.box = box; // x0, y0, x1, y1 in m
    this.width = this.height = 1; // pixels of CSS
    this.x = (box[0] + box[2]) / 2; // of the middle of the screen, m
    this.y = (box[1] + box[3]) / 2;
    this.scale = 1; // pixels per m
    this.untouched = true;
  }

  get whole() {
    const [x0, y0, x1, y1] = this.box;
    return 0.96 * Math.min(this.width / Math.max(1e-6, x1 - x0),
      this.height / Math.max(1e-6, y1 - y0));
  }

  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.untouched) {
      this.fit();
    }
  }

  // Shows the whole world.
  fit() {
    this.x = (this.box[0] + this.box[2]) / 2;
    this.y = (this.box[1] + this.box[3]) / 2;
    this.scale = this.whole;
    this.untouched = true;
  }

  // Pixels of a place (m), and back.
  pixel(x, y) {
    return [(x - this.x) * this.scale + this.width / 2,
      this.height / 2 - (y - this.y) * this.scale];
  }

  place(px, py) {
    return [(px - this.width / 2) / this.scale + this.x,
      (this.height / 2 - py) / this.scale + this.y];
  }

  // Keeps the place under a pixel where it is.
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.place(px, py);
    this.scale = Math.min(CLOSEST, Math.max(this.whole / 4, this.scale * factor));
    this.x = x - (px - this.width / 2) / this.scale;
    this.y = y - (this.height / 2 - py) / this.scale;
    this.moved();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.moved();
  }

  centre(x, y) {
    this.x = x;
    this.y = y;
    this.moved();
  }

  // The middle of the screen stays in the box, so that nobody gets lost.
  moved() {
    this.untouched = false;
    const [x0, y0, x1, y1] = this.box;
    this.x = Math.min(x1, Math.max(x0, this.x));
    this.y = Math.min(y1, Math.max(y0, this.y));
  }
}

// Turns what fingers, the mouse and the wheel do to an element into changes of a view.
// changed(): the view is another one; clicked(x, y): pixels of a click that did not move.
class Gestures {
  constructor(element, view, changed, clicked) {
    Object.assign(this, {element, view, changed, clicked});
    this.fingers = new Map(); // [x, y] by the number of the pointer
    this.travelled = 0;
    element.addEventListener('pointerdown', event => this.down(event));
    element.addEventListener('pointermove', event => this.move(event));
    element.addEventListener('pointerup', event => this.up(event, true));
    element.addEventListener('pointercancel', event => this.up(event, false));
    element.addEventListener('wheel', event => this.wheel(event), {passive: false});
    element.addEventListener('dblclick', event => {
      this.view.zoom(2, ...this.pixel(event));
      this.changed();
    });
  }

  pixel(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (event.button > 0) {
      return;
    }
    this.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.pixel(event));
    this.travelled = this.fingers.size > 1 ? Infinity : 0; // two fingers make no click
  }

  // The middle of all fingers, and how far they are from it.
  grip() {
    const all = [...this.fingers.values()];
    const x = all.reduce((sum, one) => sum + one[0], 0) / all.length;
    const y = all.reduce((sum, one) => sum + one[1], 0) / all.length;
    const spread = all.reduce((sum, one) => sum + Math.hypot(one[0] - x, one[1] - y), 0);
    return {x, y, spread: spread / all.length};
  }

  move(event) {
    if (!this.fingers.has(event.pointerId)) {
      return;
    }
    const before = this.grip();
    this.fingers.set(event.pointerId, this.pixel(event));
    const now = this.grip();
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.travelled > 4) {
      this.view.pan(now.x - before.x, now.y - before.y);
      if (before.spread > 1 && now.spread > 1) {
        this.view.zoom(now.spread / before.spread, now.x, now.y);
      }
      this.changed();
    }
  }

  up(event, real) {
    if (this.fingers.delete(event.pointerId) && real && this.travelled <= 4) {
      this.clicked(...this.pixel(event));
    }
  }

  // In a page that scrolls, the wheel is the page's unless the player fills the screen or Ctrl is
  // held.
  wheel(event) {
    if (this.element.dataset.wheel === 'ctrl' && !event.ctrlKey) {
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const turned = Math.max(-300, Math.min(300, event.deltaY * lines));
    this.view.zoom(Math.exp(-turned * 0.002), ...this.pixel(event));
    this.changed();
  }
}
