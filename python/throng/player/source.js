'use strict';
// The data of a run: texts in the page, unpacked when they are needed and forgotten when there are
// too many.

const MEMORY = 192 * 2 ** 20; // bytes of unpacked blocks that are kept

class Source {
  // texts: a function that gives the text of a part by its name.
  constructor(head, texts) {
    this.head = head;
    this.texts = texts;
    this.blocks = new Map(); // by number, the one used last at the end
    this.pending = new Map();
    const bytes = head.slots * head.blockFrames * 9;
    this.kept = Math.max(4, Math.floor(MEMORY / Math.max(1, bytes)));
  }

  async begin() {
    const [map, frames, people] = await Promise.all(['map', 'frames', 'people'].map(
      name => inflated(this.texts(name))));
    const [times, inside] = unpackColumns(frames, 2);
    this.times = Float64Array.from(times, milliseconds => milliseconds / 1000);
    this.inside = inside; // people of each frame, shown or not
    this.frames = times.length;
    this.map = JSON.parse(new TextDecoder().decode(map));
    this.stays = new Stays(people, this.head.slots);
    await this.load(0);
  }

  blockOf(frame) {
    return Math.floor(frame / this.head.blockFrames);
  }

  // Unpacks the block of a frame unless it is there.
  load(frame) {
    const number = this.blockOf(Math.min(frame, this.frames - 1));
    if (this.blocks.has(number)) {
      return Promise.resolve();
    }
    if (!this.pending.has(number)) {
      this.pending.set(number, this.unpack(number).finally(() => this.pending.delete(number)));
    }
    return this.pending.get(number);
  }

  async unpack(number) {
    const bytes = await inflated(this.texts(`block-${number}`));
    this.blocks.set(number, new Block(bytes, this.head, this.stays));
    while (this.blocks.size > this.kept) {
      this.blocks.delete(this.blocks.keys().next().value);
    }
  }

  // The block of a frame, or undefined if it is not unpacked.
  block(frame) {
    const number = this.blockOf(frame);
    const found = this.blocks.get(number);
    if (found) {
      this.blocks.delete(number);
      this.blocks.set(number, found);
    }
    return found;
  }

  // {place, stood, destinations, speeds} of a frame: arrays by slot.
  frame(number) {
    const block = this.block(number);
    if (!block) {
      return null;
    }
    const part = (table, width) => table && block.row(table, number, width);
    return {place: part(block.place, 2), stood: part(block.stood, 1),
      destinations: part(block.destinations, 1), speeds: part(block.speeds, 1)};
  }

  // The frame before a time (s), and how far it is from there to the next one, 0 to 1.
  at(time) {
    const {times} = this;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (times[middle] <= time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const next = Math.min(low + 1, times.length - 1);
    const part = next > low ? Math.min(1, Math.max(0, (time - times[low]) /
      (times[next] - times[low]))) : 0;
    return {frame: low, next, part: this.head.straight ? part : 0};
  }

  metres(quanta, axis) {
    return (quanta + SHIFT) * this.head.quantum + this.head.corner[axis];
  }

  // The path of a stay: {time, x, y} arrays. Reads whole blocks, so it takes a while for long ones.
  async path(stay) {
    const {first, last, slot} = this.stays;
    const path = {time: [], x: [], y: []};
    for (let b = this.blockOf(first[stay]); b <= this.blockOf(last[stay]); b++) {
      const bytes = await inflated(this.texts(`block-${b}`));
      const begin = b * this.head.blockFrames;
      const [x, y] = slotPath(bytes, slot[stay]);
      const end = Math.min(last[stay] - begin + 1, x.length);
      for (let f = Math.max(0, first[stay] - begin); f < end; f++) {
        path.time.push(this.times[begin + f]);
        path.x.push(this.metres(x[f], 0));
        path.y.push(this.metres(y[f], 1));
      }
    }
    return path;
  }

  // Where the person in a slot is: {x, y} in m, and shown: 0 to 1; null: nobody.
  where(slot, time) {
    const {frame, next, part} = this.at(time);
    const [now, then] = [this.frame(frame), this.frame(next)];
    if (!now || !then) {
      return null;
    }
    const here = now.place[2 * slot] !== ABSENT;
    const there = then.place[2 * slot] !== ABSENT;
    if (!here && !there) {
      return null;
    }
    // As in the shader of crowd.js: who comes or goes stands still and appears or fades.
    const [from, to] = [here ? now : then, there ? then : now].map(one =>
      [one.place[2 * slot], one.place[2 * slot + 1]]);
    const [x, y] = [0, 1].map(axis =>
      this.metres(from[axis] + (to[axis] - from[axis]) * part, axis));
    return {x, y, shown: here && there ? 1 : here ? 1 - part : part};
  }
}
