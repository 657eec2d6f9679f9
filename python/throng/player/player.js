'use strict';
// Puts the parts together: a player in an element of the page that holds the data of a run.

const MOST_PIXELS = 2; // per pixel of CSS: more cost time and show nothing

class Player {
  // host: the element; its children of class throng-part are the data.
  constructor(host) {
    this.host = host;
    this.head = JSON.parse(this.text('head'));
    this.root = host.attachShadow({mode: 'open'});
    this.root.append(element('style', {textContent: this.text('style')}));
    this.frame = this.root.appendChild(element('div', {className: 'frame'}));
    this.drawn = 0; // pictures since the start, for measurements
    this.ready = new Promise(resolve => { this.tellReady = resolve; });
    if (this.head.start === 'click') {
      this.showPoster();
    } else {
      this.start();
    }
  }

  text(name) {
    return this.host.querySelector(`[data-part="${name}"]`).textContent;
  }

  // Nothing is unpacked before a click.
  showPoster() {
    const poster = element('button', {className: 'poster', ariaLabel: `Play ${this.head.title}`},
      element('slot', {name: 'poster'}), element('span', {textContent: '▶ Play this run'}));
    poster.addEventListener('click', () => {
      poster.remove();
      this.start().then(() => this.setPlaying(true));
    });
    this.frame.append(poster);
  }

  async start() {
    try {
      if (typeof DecompressionStream === 'undefined') {
        throw new Error('this browser is too old; ' +
          'Chromium 97, Firefox 113 or Safari 16.4 is needed');
      }
      this.source = new Source(this.head, name => this.text(name));
      const waiting = this.frame.appendChild(element('div', {className: 'fault',
        textContent: 'The run is read …'}));
      await this.source.begin();
      waiting.remove();
      this.build();
      this.tellReady(this);
    } catch (error) {
      this.frame.replaceChildren(element('div', {className: 'fault',
        textContent: `This run cannot be shown: ${error.message}`}));
      throw error;
    }
  }

  build() {
    const {source, head} = this;
    this.time = source.times[0];
    this.playing = false;
    this.rate = head.rate;
    this.chosen = null; // {stay, slot, path}
    this.view = new View(source.map.box);
    this.map = new MapLayer(source.map, head.colours);
    this.colours = new Colours(source, head.looks);
    this.layers = ['map', 'people', 'marks'].map(name =>
      element('canvas', {className: `layer ${name}`}));
    this.crowd = this.makeCrowd();
    this.buildPanel();
    this.setMode('speed');
    this.gestures = new Gestures(this.layers[1], this.view, () => this.change(),
      (x, y) => this.click(x, y));
    this.layers[1].dataset.wheel = head.start === 'click' ? 'ctrl' : '';
    this.stage.addEventListener('keydown', event => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.resize();
    this.readHash();
  }

  // By WebGL where a GPU does it. The host's data-draw asks for a way: webgl, pixels or canvas.
  makeCrowd() {
    const {draw} = this.host.dataset;
    try {
      if (!draw || draw === 'webgl') {
        const crowd = new Crowd(this.layers[1], this.head, createREGL);
        if (draw || !isEmulated(crowd.regl._gl)) {
          return crowd;
        }
        crowd.regl.destroy();
      }
    } catch (error) {
      console.warn(`throng: no WebGL (${error.message}); people are drawn without it`);
    }
    this.layers[1] = element('canvas', {className: 'layer people'}); // the other one is WebGL's
    return draw === 'canvas' ? new CrowdOnCanvas(this.layers[1], this.head)
      : new CrowdOfPixels(this.layers[1], this.head);
  }

  buildPanel() {
    this.panel = new Panel(this.source, {
      toggle: () => this.setPlaying(!this.playing), seek: time => this.seek(time),
      setRate: rate => this.setRate(rate), full: () => this.toggleFull(),
      zoom: factor => { this.view.zoom(factor); this.change(); },
      fit: () => { this.view.fit(); this.change(); }});
    this.legend = new Legend(this.colours, this.head.looks, mode => this.setMode(mode));
    this.card = new PersonCard(this.source, () => this.choose(-1),
      on => { this.following = on; this.change(); }, time => this.seek(time));
    const {panel} = this;
    this.stage = element('div', {className: 'stage', tabIndex: 0}, ...this.layers,
      this.legend.root, panel.scale, panel.corner, this.card.root, panel.busy);
    this.frame.append(panel.about, this.stage, panel.bar);
  }

  resize() {
    this.pixels = Math.min(MOST_PIXELS, window.devicePixelRatio || 1);
    const {clientWidth: width, clientHeight: height} = this.stage;
    for (const layer of this.layers) {
      layer.width = Math.max(1, Math.round(width * this.pixels));
      layer.height = Math.max(1, Math.round(height * this.pixels));
    }
    this.view.resize(width, height);
    this.settled = 0; // the next map is drawn at once
    this.sharp = false;
    this.change();
  }

  setMode(mode) {
    if (this.colours.modes.includes(mode)) {
      this.mode = mode;
      this.crowd.setPalette(this.colours.palette(mode));
      this.legend.show(mode);
      this.change();
    }
  }

  setRate(rate) {
    this.rate = rate;
    this.change();
  }

  setPlaying(playing) {
    const end = this.source.times.at(-1);
    if (playing && this.time >= end) {
      this.time = this.source.times[0];
    }
    this.playing = playing;
    this.last = null;
    this.change();
  }

  seek(time) {
    const {times} = this.source;
    this.time = Math.min(times.at(-1), Math.max(times[0], time));
    this.change();
  }

  step(frames) {
    const {frame} = this.source.at(this.time);
    const wanted = Math.min(this.source.frames - 1, Math.max(0, frame + frames));
    this.setPlaying(false);
    this.seek(this.source.times[wanted]);
  }

  toggleFull() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else if (this.host.requestFullscreen) {
      this.host.requestFullscreen();
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const {rate} = this;
    const rates = SPEEDS_OF_TIME;
    const by = event.shiftKey ? 60 : 0; // shift and an arrow: pan
    const pan = (x, y) => { this.view.pan(x, y); this.change(); };
    const zoom = factor => { this.view.zoom(factor); this.change(); };
    const mode = name => () => this.setMode(name);
    const acts = {
      ' ': () => this.setPlaying(!this.playing),
      'ArrowLeft': () => by ? pan(by, 0) : this.step(-1),
      'ArrowRight': () => by ? pan(-by, 0) : this.step(1),
      'ArrowUp': () => pan(0, 60), 'ArrowDown': () => pan(0, -60),
      'Home': () => this.seek(-Infinity), 'End': () => this.seek(Infinity),
      '+': () => zoom(1.3), '=': () => zoom(1.3), '-': () => zoom(1 / 1.3),
      '0': () => { this.view.fit(); this.change(); },
      '[': () => this.setRate(rates.findLast(one => one < rate) || rates[0]),
      ']': () => this.setRate(rates.find(one => one > rate) || rates.at(-1)),
      'f': () => this.toggleFull(), 'Escape': () => this.choose(-1),
      '1': mode('speed'), '2': mode('density'), '3': mode('waiting'), '4': mode('destination'),
    };
    // Buttons and lists have their own use for keys.
    if (acts[event.key] && !/SELECT|INPUT|BUTTON/.test(event.composedPath()[0].tagName)) {
      event.preventDefault();
      acts[event.key]();
    }
  }

  // Where things are: #t=120&play=1&rate=10&colour=density&person=17&x=..&y=..&scale=..
  readHash() {
    const wanted = new URLSearchParams(this.head.start === 'click' ? '' : location.hash.slice(1));
    const number = name => wanted.has(name) ? Number(wanted.get(name)) : null;
    const known = value => value !== null && Number.isFinite(value);
    if (known(number('t'))) {
      this.seek(number('t'));
    }
    if (known(number('rate')) && number('rate') > 0) {
      this.setRate(number('rate'));
    }
    if (wanted.has('colour')) {
      this.setMode(wanted.get('colour'));
    }
    if ([number('x'), number('y'), number('scale')].every(known)) {
      this.view.scale = Math.min(CLOSEST, Math.max(1e-3, number('scale')));
      this.view.centre(number('x'), number('y'));
    }
    if (known(number('person'))) {
      this.choosePerson(number('person'));
    }
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.head.start === 'play' && number('play') !== 0 && !still) {
      this.setPlaying(true);
    }
  }

  // Somebody within 14 pixels, the nearest one.
  click(px, py) {
    const {source, view} = this;
    let [best, nearest] = [-1, Math.max(14, discRadius(view, this.head))];
    for (let s = 0; s < this.head.slots; s++) {
      const found = source.where(s, this.time);
      if (found) {
        const [x, y] = view.pixel(found.x, found.y);
        const distance = Math.hypot(x - px, y - py);
        [best, nearest] = distance < nearest ? [s, distance] : [best, nearest];
      }
    }
    const {frame, next} = source.at(this.time);
    const stay = best < 0 ? -1 : source.stays.at(best, frame);
    this.choose(stay < 0 && best >= 0 ? source.stays.at(best, next) : stay);
    this.stage.focus({preventScroll: true});
  }

  choosePerson(id) {
    const all = this.source.stays.of(id);
    const {frame} = this.source.at(this.time);
    const now = all.find(i => this.source.stays.last[i] >= frame);
    return this.choose(now ?? all[0] ?? -1);
  }

  async choose(stay) {
    this.following = false;
    this.chosen = stay < 0 ? null : {stay, slot: this.source.stays.slot[stay], path: null};
    this.card.hide();
    this.change();
    if (!this.chosen) {
      return;
    }
    const mine = this.chosen;
    this.card.show(stay, null);
    const path = await this.source.path(stay);
    if (this.chosen === mine) { // nobody else was chosen meanwhile
      mine.path = path;
      this.card.show(stay, path);
      this.change();
    }
  }

  // The next picture is another one.
  change() {
    if (!this.asked) {
      this.asked = true;
      requestAnimationFrame(now => {
        this.asked = false;
        this.tick(now);
      });
    }
  }

  // The frames that a picture of this time needs; false and a load of them if they are not there.
  has(moment) {
    const {source} = this;
    const after = Math.min(moment.next + 1, source.frames - 1); // for the speeds after next
    const missing = [moment.frame, moment.next, after].filter(frame => !source.block(frame));
    if (missing.length) {
      Promise.all(missing.map(frame => source.load(frame))).then(() => this.change(), error => {
        this.panel.busy.textContent = `cannot be read: ${error.message}`;
      });
    } else if (this.playing) {
      source.load(moment.frame + this.head.blockFrames);
    }
    this.panel.busy.hidden = !missing.length;
    return !missing.length;
  }

  tick(now) {
    const {source, view} = this;
    const end = source.times.at(-1);
    const before = this.time;
    if (this.playing) {
      // After a pause of the page, such as another tab, time does not jump.
      const passed = this.last === null ? 0 : Math.min(0.25, (now - this.last) / 1000);
      this.time = Math.min(end, this.time + passed * this.rate);
      this.last = now;
    }
    const moment = source.at(this.time);
    if (!this.has(moment)) {
      this.time = before; // time waits for the data
      this.last = null;
      this.panel.show(before, this.playing, this.rate);
      return;
    }
    this.playing = this.playing && this.time < end;
    this.drawAll(moment, view);
    this.drawn++;
    if (this.playing) {
      this.change();
    }
  }

  drawAll(moment, view) {
    const {source, pixels} = this;
    const place = this.chosen && this.inStay(moment) && source.where(this.chosen.slot, this.time);
    if (this.following && place) {
      view.centre(place.x, place.y);
    }
    const seen = `${view.x} ${view.y} ${view.scale}`;
    const still = seen === this.seen || !this.seen;
    this.seen = seen;
    const now = performance.now();
    this.settled = still || this.settled === 0 ? this.settled : now;
    if (!still || !this.sharp) {
      this.sharp = this.map.draw(this.layers[0].getContext('2d'), view, pixels,
        now - this.settled > SETTLED);
      this.settled = this.settled || now;
    }
    if (!this.sharp) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.change(), SETTLED + 10);
    }
    this.crowd.draw(source, this.colours, this.mode, moment, view, pixels);
    drawMarks(this.layers[2], this, place);
    this.panel.show(this.time, this.playing, this.rate);
    this.panel.showScale(view);
    if (this.chosen) {
      this.card.drawCurve(this.time);
    }
  }

  inStay({frame, next}) {
    const {first, last} = this.source.stays;
    const {stay} = this.chosen;
    return first[stay] <= next && frame <= last[stay];
  }
}

// A page may have several players, which share this code. window.throng is for tests and for pages
// that want to steer them.
const throng = window.throng = window.throng || {players: []};
// script: the script element behind the one that holds the run.
throng.mount = script => {
  let host = script;
  while (!host.matches('.throng-player')) {
    host = host.previousElementSibling;
  }
  const player = new Player(host);
  throng.players.push(player);
  return player;
};
