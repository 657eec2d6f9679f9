'use strict';
// Draws people as discs: by WebGL, and on a canvas, which is the simple reference. pixels.js is a
// third way. All do the same, and a test compares their pictures.

const BODY = 0.22; // m, radius of a disc when the view is close
const SMALLEST = [1.5, 3.5]; // pixels, its radius from afar: of many people, of few

const VERTEX = `
precision highp float;
attribute vec2 now, next;
attribute float value, nextValue;
uniform vec2 factor, offset;
uniform float part, size, level;
varying float shade, shown;
void main() {
  bool here = now.x > -32767.5, there = next.x > -32767.5;
  shown = here ? (there ? 1.0 : 1.0 - part) : (there ? part : 0.0);
  // Who comes or goes stands still: there is no way from or to nowhere.
  vec2 place = mix(here ? now : next, there ? next : now, part);
  shade = here ? (there ? mix(value, nextValue, part * level) : value) : nextValue;
  gl_Position = shown > 0.0 ? vec4(place * factor + offset, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
  gl_PointSize = size;
}`;

const FRAGMENT = `
precision highp float;
varying float shade, shown;
uniform sampler2D palette;
uniform float size;
void main() {
  float from = size * length(gl_PointCoord - 0.5);
  float inside = clamp(0.5 * size - from, 0.0, 1.0) * shown;
  vec3 colour = texture2D(palette, vec2((floor(shade + 0.5) + 0.5) / 256.0, 0.5)).rgb;
  colour *= size > 8.0 ? mix(1.0, 0.6, clamp(from - 0.5 * size + 2.0, 0.0, 1.0)) : 1.0;
  gl_FragColor = vec4(colour * inside, inside);
}`;

// Radius of a disc in pixels of CSS. 10,000 people with 1.6 pixels leave the map visible.
function discRadius(view, head) {
  const [least, most] = SMALLEST;
  const small = Math.min(most, Math.max(least, 160 / Math.sqrt(head.mostShown || 1)));
  return Math.max(small, BODY * view.scale);
}

// Two frames in buffers; a frame that stays is not filled again.
class Pair {
  // make(): a buffer.
  constructor(make) {
    this.sides = [0, 1].map(() => ({key: null, buffer: make()}));
  }

  // keys: what the two are, such as a number of a frame; fill(buffer, i): fills that of a side.
  show(keys, fill) {
    if (this.sides[1].key === keys[0] || this.sides[0].key === keys[1]) {
      this.sides.reverse();
    }
    this.sides.forEach((side, i) => {
      if (side.key !== keys[i]) {
        side.key = keys[i];
        fill(side.buffer, i);
      }
    });
    return this.sides.map(side => side.buffer);
  }

  forget() {
    this.sides.forEach(side => { side.key = null; });
  }
}

class Crowd {
  constructor(canvas, head, createRegl) {
    this.canvas = canvas;
    this.head = head;
    this.regl = createRegl({canvas, attributes: {alpha: true, antialias: false, depth: false,
      premultipliedAlpha: true, preserveDrawingBuffer: false}});
    const {regl} = this;
    const pair = (type, width) => new Pair(() => regl.buffer({usage: 'stream', type,
      length: Math.max(1, head.slots) * width}));
    this.places = pair('int16', 4);
    this.values = pair('uint8', 1);
    this.bytes = new Uint8Array(head.slots);
    this.palette = regl.texture({width: TEXELS, height: 1});
    this.command = regl({
      vert: VERTEX, frag: FRAGMENT, primitive: 'points', count: head.slots,
      attributes: {now: regl.prop('now'), next: regl.prop('next'), value: regl.prop('value'),
        nextValue: regl.prop('nextValue')},
      uniforms: {factor: regl.prop('factor'), offset: regl.prop('offset'),
        part: regl.prop('part'), size: regl.prop('size'), level: regl.prop('level'),
        palette: this.palette},
      depth: {enable: false},
      blend: {enable: true, func: {src: 'one', dst: 'one minus src alpha'}},
    });
  }

  setPalette({bytes}) {
    this.palette({width: TEXELS, height: 1, data: bytes, mag: 'nearest', min: 'nearest'});
    this.values.forget();
  }

  // moment: {frame, next, part}; mode: of the colours.
  draw(source, colours, mode, moment, view, pixels) {
    const {frame, next, part} = moment;
    const {regl, head} = this;
    const [now, then] = this.places.show([frame, next], (buffer, i) =>
      buffer.subdata(source.frame(i ? next : frame).place));
    // The last frame has two keys: its speeds are those of the way to it.
    const [value, nextValue] = this.values.show([`${mode} ${frame}`, `${mode} ${next}`],
      (buffer, i) => buffer.subdata(
        fillValues(source, colours, mode, i ? next : frame, this.bytes)));
    regl.poll();
    regl.clear({color: [0, 0, 0, 0]});
    const [x, y] = view.pixel(source.metres(0, 0), source.metres(0, 1));
    const unit = head.quantum * view.scale;
    if (head.slots) {
      this.command({now: {buffer: now, size: 2, normalized: false}, part,
        next: {buffer: then, size: 2, normalized: false},
        value: {buffer: value, normalized: false}, nextValue: {buffer: nextValue,
          normalized: false},
        factor: [2 * unit / view.width, 2 * unit / view.height],
        offset: [2 * x / view.width - 1, 1 - 2 * y / view.height],
        size: 2 * discRadius(view, head) * pixels, level: blended(mode) ? 1 : 0});
    }
    regl._gl.flush();
  }
}

// The values [slots] that the colours of a frame show.
function fillValues(source, colours, mode, frame, bytes) {
  const next = Math.min(frame + 1, source.frames - 1);
  return colours.fill(mode, frame, source.frame(next) ? next : frame, bytes);
}

// Whether values between those of two frames are meant: not between two destinations, and speeds
// belong to the whole interval.
function blended(mode) {
  return mode === 'density' || mode === 'waiting';
}

class CrowdOnCanvas {
  constructor(canvas, head) {
    this.context = canvas.getContext('2d');
    this.head = head;
    this.bytes = [new Uint8Array(head.slots), new Uint8Array(head.slots)];
  }

  setPalette({bytes}) {
    const styles = part => Array.from({length: TEXELS}, (_, i) => {
      const [r, g, b] = bytes.subarray(4 * i, 4 * i + 3);
      return `rgb(${part * r},${part * g},${part * b})`;
    });
    this.styles = styles(1);
    this.rims = styles(0.6);
  }

  draw(source, colours, mode, moment, view, pixels) {
    const {context} = this;
    const {frame, next, part} = moment;
    const sides = [frame, next].map((number, i) =>
      fillValues(source, colours, mode, number, this.bytes[i]));
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const radius = discRadius(view, this.head);
    const time = source.times[frame] + part * (source.times[next] - source.times[frame]);
    const {place} = source.frame(frame);
    for (let s = 0; s < this.head.slots; s++) {
      const found = source.where(s, time);
      if (!found || !(found.shown > 0)) {
        continue;
      }
      const here = place[2 * s] !== ABSENT;
      const there = source.frame(next).place[2 * s] !== ABSENT;
      const value = !here ? sides[1][s] : !there || !blended(mode) ? sides[0][s]
        : sides[0][s] + (sides[1][s] - sides[0][s]) * part;
      const [x, y] = view.pixel(found.x, found.y);
      context.globalAlpha = found.shown;
      const rim = radius * pixels > 4 ? 1.5 / pixels : 0;
      for (const [style, size] of [[this.rims, rim ? radius : 0], [this.styles, radius - rim]]) {
        context.fillStyle = style[Math.round(value)];
        context.beginPath();
        context.arc(x, y, size, 0, 2 * Math.PI);
        context.fill();
      }
    }
    context.globalAlpha = 1;
  }
}
