'use strict';
// Unpacks what coding.py packed: blocks of frames, and columns of whole numbers.

// Positions fit int16: 0 to 65534 quanta become -32767 to 32767.
const SHIFT = 32767;
const ABSENT = -32768; // x of a slot in which nobody is
const DESTINATIONS = 1;
const SPEEDS = 2;

function bytesOfText(text) {
  if (Uint8Array.fromBase64) {
    return Uint8Array.fromBase64(text);
  }
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) {
    bytes[i] = letters.charCodeAt(i);
  }
  return bytes;
}

async function inflated(text) {
  const stream = new Blob([bytesOfText(text)]).stream();
  const whole = stream.pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

// 2 n for n >= 0, -2 n - 1 for n < 0.
function unfolded(value) {
  return (value >>> 1) ^ -(value & 1);
}

// count columns of 32 bits, one after another.
function unpackColumns(bytes, count) {
  const rows = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const tables = [];
  for (let c = 0, at = 4; c < count; c++, at += 4 * rows) {
    const table = new Int32Array(rows);
    for (let i = 0, value = 0; i < rows; i++) {
      const word = bytes[at + i] | bytes[at + rows + i] << 8 | bytes[at + 2 * rows + i] << 16 |
        bytes[at + 3 * rows + i] << 24;
      value = value + unfolded(word) | 0;
      table[i] = value;
    }
    tables.push(table);
  }
  return tables;
}

// Who had which slot when: columns of one length, by slot and time.
class Stays {
  constructor(bytes, slots) {
    const found = unpackColumns(bytes, 8);
    [this.slot, this.first, this.last] = found;
    this.count = this.slot.length;
    this.source = found[5];
    this.profile = found[6];
    this.destination = found[7];
    // An id has up to 53 bits here: more people than that do not walk.
    this.id = Float64Array.from(found[3], (low, i) => (low >>> 0) + found[4][i] * 2 ** 32);
    this.begin = new Uint32Array(slots + 1); // of each slot, among the stays
    for (let i = 0; i < this.count; i++) {
      this.begin[this.slot[i] + 1]++;
    }
    for (let s = 0; s < slots; s++) {
      this.begin[s + 1] += this.begin[s];
    }
  }

  // The stay that has a slot in a frame; -1: nobody.
  at(slot, frame) {
    for (let i = this.begin[slot]; i < this.begin[slot + 1]; i++) {
      if (this.first[i] <= frame && frame <= this.last[i]) {
        return i;
      }
    }
    return -1;
  }

  of(id) {
    return Array.from(this.id.keys()).filter(i => this.id[i] === id)
      .sort((a, b) => this.first[a] - this.first[b]);
  }
}

// The positions of one slot along one axis; frames numbers go to out. low, high: where its low and
// high bytes begin.
function unpackSeries(bytes, low, high, out) {
  let value = 0;
  let step = 0;
  for (let f = 0; f < out.length; f++) {
    const turn = unfolded(bytes[low + f] | bytes[high + f] << 8);
    step = f < 2 ? turn : step + turn;
    value = value + step & 65535;
    out[f] = value - SHIFT;
  }
}

// What a block says of itself before its data.
function blockHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [first, frames, slots, parts] = [0, 4, 8, 12].map(at => view.getUint32(at, true));
  return {first, frames, slots, parts, size: slots * frames, places: 16 + 2 * slots, view};
}

// The positions [axis][frame] of one slot of a packed block; null if the block has no such slot.
function slotPath(bytes, slot) {
  const {frames, slots, size, places} = blockHead(bytes);
  if (slot >= slots) {
    return null;
  }
  return [0, 1].map(axis => {
    const out = new Int32Array(frames);
    const low = places + 2 * size * axis + slot * frames;
    unpackSeries(bytes, low, low + size, out);
    return out;
  });
}

// A block of frames, with a place for every slot of the run in each of them.
class Block {
  constructor(bytes, head, stays) {
    const {first, frames, slots, parts, size, places, view} = blockHead(bytes);
    Object.assign(this, {first, frames, slots, all: head.slots});
    this.place = new Int16Array(2 * this.all * frames).fill(ABSENT);
    this.stood = new Uint16Array(this.all * frames);
    this.unpackPlaces(bytes, places, size, stays);
    let at = places + 4 * size;
    this.destinations = parts & DESTINATIONS ? this.unpackBytes(bytes, at) : null;
    at += parts & DESTINATIONS ? size : 0;
    this.speeds = parts & SPEEDS ? this.unpackBytes(bytes, at) : null;
    this.countStanding(view, head.stillLimit);
  }

  unpackPlaces(bytes, at, size, stays) {
    const {first, frames, slots, all, place} = this;
    const series = [new Int32Array(frames), new Int32Array(frames)];
    for (let s = 0; s < slots; s++) {
      for (let axis = 0; axis < 2; axis++) {
        const low = at + 2 * size * axis + s * frames;
        unpackSeries(bytes, low, low + size, series[axis]);
      }
      for (let i = stays.begin[s]; i < stays.begin[s + 1]; i++) {
        const end = Math.min(frames, stays.last[i] - first + 1);
        for (let f = Math.max(0, stays.first[i] - first); f < end; f++) {
          place[2 * (f * all + s)] = series[0][f];
          place[2 * (f * all + s) + 1] = series[1][f];
        }
      }
    }
  }

  unpackBytes(bytes, at) {
    const {frames, slots, all} = this;
    const table = new Uint8Array(all * frames);
    for (let s = 0; s < slots; s++) {
      for (let f = 0, value = 0; f < frames; f++) {
        value = value + bytes[at + s * frames + f] & 255;
        table[f * all + s] = value;
      }
    }
    return table;
  }

  countStanding(view, limit) {
    const {frames, slots, all, place, stood, speeds} = this;
    for (let s = 0; s < slots; s++) {
      stood[s] = view.getUint16(16 + 2 * s, true);
      for (let f = 1, row = all + s; f < frames; f++, row += all) {
        const old = row - all;
        if (place[2 * row] === ABSENT || place[2 * old] === ABSENT) {
          continue; // 0: a stay begins anew
        }
        const dx = place[2 * row] - place[2 * old];
        const dy = place[2 * row + 1] - place[2 * old + 1];
        const still = speeds ? speeds[row] <= limit : dx * dx + dy * dy <= limit * limit;
        stood[row] = Math.min(65535, stood[old] + (still ? 1 : 0));
      }
    }
  }

  // The part of a table [frame][slot] that belongs to a frame of the run.
  row(table, frame, width = 1) {
    const begin = (frame - this.first) * this.all * width;
    return table.subarray(begin, begin + this.all * width);
  }
}
