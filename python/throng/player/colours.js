'use strict';
// What the colours of people can show: a value from 0 to 255 for each slot, and a palette for it.

const DISC = 2; // m: people within this distance are counted for the density
const TEXELS = 256; // of a palette

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

// People per m2 around each one, itself among them: those within DISC, divided by its area. Walls
// are not taken off it. share: one of so many people is shown.
function densities(place, quantum, share, out) {
  const reach = Math.max(1, Math.round(DISC / quantum));
  const slots = place.length / 2;
  const columns = Math.ceil(65536 / reach) + 1;
  const cells = new Map();
  for (let s = 0; s < slots; s++) {
    if (place[2 * s] !== ABSENT) {
      const cell = cellOf(place, s, reach, columns);
      const found = cells.get(cell);
      if (found) {
        found.push(s);
      } else {
        cells.set(cell, [s]);
      }
    }
  }
  const one = share / (Math.PI * DISC * DISC);
  for (const [cell, here] of cells) {
    const near = [];
    for (const row of [-columns, 0, columns]) {
      for (const column of [-1, 0, 1]) {
        near.push(...cells.get(cell + row + column) || []);
      }
    }
    for (const s of here) {
      let count = 0;
      for (const other of near) {
        const dx = place[2 * other] - place[2 * s];
        const dy = place[2 * other + 1] - place[2 * s + 1];
        count += dx * dx + dy * dy <= reach * reach ? 1 : 0;
      }
      out[s] = count * one;
    }
  }
  return out;
}

function cellOf(place, slot, reach, columns) {
  const x = Math.floor((place[2 * slot] + SHIFT) / reach);
  const y = Math.floor((place[2 * slot + 1] + SHIFT) / reach);
  return (y + 1) * columns + x + 1;
}

// Speeds (m/s) between two frames; of people that are only in one of them 0.
function speedsBetween(now, then, quantum, seconds, out) {
  const factor = seconds > 0 ? quantum / seconds : 0;
  for (let s = 0; s < out.length; s++) {
    const both = now[2 * s] !== ABSENT && then[2 * s] !== ABSENT;
    out[s] = both ? factor * Math.hypot(then[2 * s] - now[2 * s],
      then[2 * s + 1] - now[2 * s + 1]) : 0;
  }
  return out;
}

class Colours {
  constructor(source, looks) {
    this.source = source;
    this.looks = looks; // palettes and limits, from palettes.py
    this.values = new Float32Array(source.head.slots);
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
    const {head, times} = this.source;
    const now = this.source.frame(number);
    if (mode === 'destination') {
      return this.fillDestinations(now, number, out);
    }
    const {values} = this;
    if (mode === 'density') {
      densities(now.place, head.quantum, head.share, values);
    } else if (mode === 'waiting') {
      values.set(now.stood);
      values.forEach((count, s) => { values[s] = count * head.interval; });
    } else if (now.speeds) {
      now.speeds.forEach((speed, s) => { values[s] = speed * head.speedQuantum; });
    } else {
      const then = this.source.frame(next) || now;
      speedsBetween(now.place, then.place, head.quantum, times[next] - times[number], values);
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
