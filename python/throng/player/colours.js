'use strict';
// What the colours of people can show: a value from 0 to 255 for each slot, and a palette for it.

const DISC = 2; // m: people within this distance are counted for the density
const TEXELS = 256; // of a palette
const MOST_CELLS = 1000; // along a side of the box

function channels(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

// stops: colours at even distances.
function smoothPalette(stops) {
  const colours = stops.map(channels);
  const bytes = new Uint8Array(4 * TEXELS);
  for (let i = 0; i < TEXELS; i++) {
    const at = i / (TEXELS - 1) * (colours.length - 1);
    const low = Math.min(Math.floor(at), colours.length - 2);
    for (let c = 0; c < 3; c++) {
      bytes[4 * i + c] = Math.round(colours[low][c] +
        (colours[low + 1][c] - colours[low][c]) * (at - low));
    }
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}

// limits: where one colour ends and the next one begins, as values from 0 to 255.
function steppedPalette(stops, limits) {
  const colours = stops.map(channels);
  const bytes = new Uint8Array(4 * TEXELS);
  for (let i = 0; i < TEXELS; i++) {
    const step = limits.filter(limit => i >= limit).length;
    bytes.set([...colours[Math.min(step, colours.length - 1)], 255], 4 * i);
  }
  return bytes;
}

// The people of a frame, sorted by the square cells they are in: those of cell c are
// order[start[c]] to order[start[c + 1] - 1]. Cells run row by row, with a free one around all of
// them.
class Cells {
  constructor() {
    this.start = new Int32Array(0);
  }

  sort(place, reach) {
    const slots = place.length / 2;
    this.side = Math.max(reach, 65536 / MOST_CELLS); // quanta; few cells are counted through fast
    this.columns = Math.ceil(65536 / this.side) + 2;
    const count = this.columns * this.columns + 1;
    if (this.start.length !== count) {
      this.start = new Int32Array(count);
    }
    if (!this.order || this.order.length !== slots) {
      this.order = new Int32Array(slots);
      this.cell = new Int32Array(slots);
    }
    const {start, order, cell, side, columns} = this;
    start.fill(0);
    for (let s = 0; s < slots; s++) {
      cell[s] = place[2 * s] === ABSENT ? -1
        : (Math.floor((place[2 * s + 1] + SHIFT) / side) + 1) * columns +
          Math.floor((place[2 * s] + SHIFT) / side) + 1;
      if (cell[s] >= 0) {
        start[cell[s]]++;
      }
    }
    for (let c = 0, sum = 0; c < count; c++) {
      sum += start[c];
      start[c] = sum;
    }
    for (let s = slots - 1; s >= 0; s--) {
      if (cell[s] >= 0) {
        order[--start[cell[s]]] = s;
      }
    }
  }
}

// People per m2 around each one, itself among them: those within DISC, divided by its area. Walls
// are not taken off it. share: one of so many people is shown.
function densities(cells, place, quantum, share, out) {
  const reach = DISC / quantum;
  cells.sort(place, reach);
  const {start, order, cell, columns} = cells;
  const one = share / (Math.PI * DISC * DISC);
  for (let s = 0; s < out.length; s++) {
    if (cell[s] < 0) {
      continue;
    }
    const x = place[2 * s];
    const y = place[2 * s + 1];
    let count = 0;
    for (let row = cell[s] - columns; row <= cell[s] + columns; row += columns) {
      for (let i = start[row - 1]; i < start[row + 2]; i++) { // three cells in a row
        const dx = place[2 * order[i]] - x;
        const dy = place[2 * order[i] + 1] - y;
        count += dx * dx + dy * dy <= reach * reach ? 1 : 0;
      }
    }
    out[s] = count * one;
  }
  return out;
}

// Speeds (m/s) on the way from a frame to the next one; of who leaves or at the end of the run, on
// the way to the frame.
function speedsAround(before, now, then, quantum, seconds, out) {
  const factor = quantum / seconds;
  for (let s = 0; s < out.length; s++) {
    out[s] = 0;
    for (const other of [then, before]) {
      if (other && now[2 * s] !== ABSENT && other[2 * s] !== ABSENT) {
        out[s] = factor * Math.hypot(other[2 * s] - now[2 * s], other[2 * s + 1] - now[2 * s + 1]);
        break;
      }
    }
  }
  return out;
}

class Colours {
  constructor(source, looks) {
    this.source = source;
    this.looks = looks; // palettes and limits, from palettes.py
    this.values = new Float32Array(source.head.slots);
    this.cells = new Cells();
    this.modes = ['speed', 'density', 'waiting'];
    if (looks.destination) {
      this.modes.push('destination');
    }
  }

  // The palette of a mode: bytes [TEXELS][4], and whether values between two colours are wanted.
  palette(mode) {
    const look = this.looks[mode];
    if (mode === 'density') {
      return {bytes: steppedPalette(look.colours,
        look.limits.map(limit => limit / look.maximum * (TEXELS - 1))), smooth: false};
    }
    if (mode === 'destination') {
      return {bytes: steppedPalette(look.colours, look.colours.map((_, i) => i + 1)),
        smooth: false};
    }
    return {bytes: smoothPalette(look.colours), smooth: true};
  }

  // Fills out [slots] with values from 0 to 255 for a frame; next: the frame after it.
  fill(mode, number, next, out) {
    const {head} = this.source;
    const now = this.source.frame(number);
    if (mode === 'destination') {
      return this.fillDestinations(now, number, out);
    }
    const {values} = this;
    if (mode === 'density') {
      densities(this.cells, now.place, head.quantum, head.share, values);
    } else if (mode === 'waiting') {
      values.set(now.stood);
      values.forEach((count, s) => { values[s] = count * head.interval; });
    } else if (now.speeds) {
      now.speeds.forEach((speed, s) => { values[s] = speed * head.speedQuantum; });
    } else {
      const place = frame => this.source.frame(frame)?.place;
      speedsAround(number > 0 && place(number - 1), now.place, next > number && place(next),
        head.quantum, head.interval, values);
    }
    const factor = (TEXELS - 1) / this.looks[mode].maximum;
    for (let s = 0; s < out.length; s++) {
      out[s] = Math.min(TEXELS - 1, values[s] * factor + 0.5);
    }
    return out;
  }

  // Of a run that did not record destinations, those that people.csv has.
  fillDestinations(now, number, out) {
    const last = this.looks.destination.colours.length - 1; // the colour of none
    const {stays} = this.source;
    if (now.destinations) {
      out.set(now.destinations);
      out.forEach((place, s) => { out[s] = place === 255 ? last : Math.min(place, last); });
      return out;
    }
    for (let s = 0; s < out.length; s++) {
      const stay = stays.at(s, number);
      out[s] = stay < 0 ? last : Math.min(stays.destination[stay], last);
    }
    return out;
  }
}
