'use strict';
// Draws people pixel by pixel, where WebGL is missing or is emulated by the processor: an emulated
// point takes a microsecond, a disc of some pixels here a tenth of it.

const LARGEST = 4; // pixels: larger discs are few and have a rim; the canvas draws them
const PLACES = 8;  // discs have this many places within a pixel, along each axis
const MARGIN = 2 * LARGEST + 2; // pixels around the picture, so that no disc needs to be cut

// The pixels that a disc covers, by how much: for each of its places within a pixel, offsets in a
// picture of so many columns, and opacities from 0 to 255.
function discStamps(radius, columns) {
  const reach = Math.ceil(radius + 1);
  return Array.from({length: PLACES * PLACES}, (_, place) => {
    const x = (place % PLACES + 0.5) / PLACES;
    const y = (Math.floor(place / PLACES) + 0.5) / PLACES;
    const offsets = [];
    const covers = [];
    for (let row = -reach; row <= reach; row++) {
      for (let column = -reach; column <= reach; column++) {
        const from = Math.hypot(column + 0.5 - x, row + 0.5 - y); // as in the shader of crowd.js
        const cover = Math.round(255 * Math.min(1, Math.max(0, radius - from)));
        if (cover > 0) {
          offsets.push(row * columns + column);
          covers.push(cover);
        }
      }
    }
    return {offsets: Int32Array.from(offsets), covers: Uint8Array.from(covers)};
  });
}

// A colour with an opacity (0 to 255) over a pixel of an ImageData: bytes R, G, B, A, not
// premultiplied.
function over(old, colour, cover) {
  const below = (old >>> 24) * (255 - cover) / 255;
  const share = cover / (cover + below);
  const mixed = shift => {
    const under = old >>> shift & 255;
    return Math.round(under + ((colour >>> shift & 255) - under) * share) << shift;
  };
  return (mixed(0) | mixed(8) | mixed(16) | Math.round(cover + below) << 24) >>> 0;
}

class CrowdOfPixels extends CrowdOnCanvas {
  constructor(canvas, head) {
    super(canvas, head);
    this.values = new Pair(() => new Uint8Array(head.slots));
  }

  setPalette(palette) {
    super.setPalette(palette);
    this.colours = new Uint32Array(palette.bytes.slice().buffer);
    this.values.forget();
  }

  // The picture and the stamps are made anew only if their size is another one.
  prepare(radius) {
    const {width, height} = this.context.canvas;
    const columns = width + 2 * MARGIN;
    if (!this.image || this.image.width !== columns ||
        this.image.height !== height + 2 * MARGIN) {
      this.image = new ImageData(columns, height + 2 * MARGIN);
      this.cells = new Uint32Array(this.image.data.buffer);
      this.radius = null;
    }
    if (this.radius !== radius) {
      this.radius = radius;
      this.stamps = discStamps(radius, columns);
    }
    this.cells.fill(0);
  }

  draw(source, colours, mode, moment, view, pixels) {
    const radius = discRadius(view, this.head) * pixels;
    if (radius > LARGEST) {
      super.draw(source, colours, mode, moment, view, pixels);
      return;
    }
    this.prepare(radius);
    const {frame, next} = moment;
    const sides = this.values.show([`${mode} ${frame}`, `${mode} ${next}`], (bytes, i) =>
      fillValues(source, colours, mode, i ? next : frame, bytes));
    this.stampAll(source, sides, moment, view, pixels, blended(mode));
    this.context.putImageData(this.image, -MARGIN, -MARGIN);
  }

  stampAll(source, [value, nextValue], {frame, next, part}, view, pixels, blends) {
    const {image, colours} = this;
    const [now, then] = [source.frame(frame).place, source.frame(next).place];
    const unit = this.head.quantum * view.scale * pixels;
    const [left, top] = view.pixel(source.metres(0, 0), source.metres(0, 1)).map(at =>
      at * pixels + MARGIN);
    const [right, bottom] = [image.width - LARGEST - 1, image.height - LARGEST - 1];
    for (let s = 0, i = 0; s < value.length; s++, i += 2) {
      const here = now[i] !== ABSENT;
      const there = then[i] !== ABSENT;
      if (!here && !there) {
        continue;
      }
      const [one, other] = [here ? now : then, there ? then : now];
      const x = left + (one[i] + (other[i] - one[i]) * part) * unit;
      const y = top - (one[i + 1] + (other[i + 1] - one[i + 1]) * part) * unit;
      if (!(x > LARGEST + 1 && x < right && y > LARGEST + 1 && y < bottom)) {
        continue;
      }
      const shade = !here ? nextValue[s] : there && blends
        ? value[s] + (nextValue[s] - value[s]) * part : value[s];
      this.stamp(x, y, colours[Math.floor(shade + 0.5)], here ? there ? 1 : 1 - part : part);
    }
  }

  // shown: how much of a person who comes or goes is there, 0 to 1.
  stamp(x, y, colour, shown) {
    const {cells} = this;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const place = Math.floor((y - row) * PLACES) * PLACES + Math.floor((x - column) * PLACES);
    const {offsets, covers} = this.stamps[place];
    const at = row * this.image.width + column;
    for (let k = 0; k < offsets.length; k++) {
      const cell = at + offsets[k];
      const cover = covers[k] * shown;
      if (cover > 254.5) {
        cells[cell] = colour;
      } else if (cells[cell] === 0) {
        cells[cell] = (colour & 0xffffff | Math.round(cover) << 24) >>> 0;
      } else {
        cells[cell] = over(cells[cell], colour, cover);
      }
    }
  }
}

// Whether WebGL is drawn by the processor.
function isEmulated(gl) {
  const about = gl.getExtension('WEBGL_debug_renderer_info');
  const names = [gl.getParameter(gl.RENDERER),
    about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : ''];
  return /SwiftShader|llvmpipe|softpipe|Basic Render/i.test(names.join(' '));
}
