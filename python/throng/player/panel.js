'use strict';
// What stands around the map: controls, legend, scale, and the card of a chosen person.

const SPEEDS_OF_TIME = [1, 2, 5, 10, 20, 30, 60, 120, 300];
const TITLES = {speed: 'Speed', density: 'Density', waiting: 'Waiting', destination: 'Destination'};

// An element; what is given as text stays text.
function element(name, properties = {}, ...children) {
  const {data = {}, style = {}, ...rest} = properties;
  const made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, data);
  Object.assign(made.style, style);
  made.append(...children);
  return made;
}

function padded(number) {
  return String(Math.floor(number)).padStart(2, '0');
}

// h:mm:ss since the start; tenths if the run is short.
function clock(seconds, tenths = false) {
  const whole = tenths ? Math.round(seconds * 10) / 10 : Math.floor(seconds + 1e-6);
  const rest = whole % 60;
  const end = tenths ? (rest < 10 ? '0' : '') + rest.toFixed(1) : padded(rest);
  return `${Math.floor(whole / 3600)}:${padded(whole / 60 % 60)}:${end}`;
}

function duration(seconds) {
  if (seconds < 60) {
    return `${Number(seconds.toPrecision(3))} s`;
  }
  const minutes = Math.round(seconds / 60);
  return seconds < 600 ? `${Math.floor(seconds / 60)}:${padded(seconds % 60)} min`
    : `${minutes} min`;
}

function count(number) {
  return number.toLocaleString('en-US');
}

function rounded(value) {
  return String(Number(value.toPrecision(3)));
}

// The longest round number of metres that takes at most so many pixels: [m, pixels].
function scaleLength(view, most) {
  const power = 10 ** Math.floor(Math.log10(most / view.scale));
  const metres = [5, 2, 1].map(m => m * power).find(m => m * view.scale <= most);
  return [metres, metres * view.scale];
}

class Legend {
  constructor(colours, looks, changed) {
    this.colours = colours;
    this.looks = looks;
    this.choice = element('select', {title: 'What the colours show (keys 1 to 4)',
      ariaLabel: 'Colours'}, ...colours.modes.map(mode =>
      element('option', {value: mode, textContent: `Colour: ${TITLES[mode].toLowerCase()}`})));
    this.choice.addEventListener('change', () => changed(this.choice.value));
    this.body = element('div');
    this.root = element('div', {className: 'card legend'}, this.choice, this.body);
  }

  show(mode) {
    const look = this.looks[mode];
    this.choice.value = mode;
    const stepped = mode === 'density' || mode === 'destination';
    const parts = stepped ? look.labels.map((label, i) => element('div', {className: 'step',
      title: label}, element('i', {style: {background: look.colours[i]}}),
    element('span', {textContent: label}))) : [this.ramp(look)];
    this.body.replaceChildren(...parts,
      element('div', {className: 'faint', textContent: look.note}));
  }

  ramp(look) {
    const ticks = look.ticks.map(([value, label]) => element('span', {textContent: label,
      style: {left: `${100 * value / look.maximum}%`}}));
    return element('div', {}, element('div', {className: 'ramp',
      style: {background: `linear-gradient(to right, ${look.colours.join(',')})`}}),
    element('div', {className: 'ticks'}, ...ticks));
  }
}

// The card of a chosen person: who it is, and its speed over time.
class PersonCard {
  constructor(source, close, follow, seek) {
    this.source = source;
    this.table = element('table');
    this.curve = element('canvas', {title: 'Speed over time; click to go there'});
    this.name = element('b');
    this.followed = element('input', {type: 'checkbox'});
    this.followed.addEventListener('change', () => follow(this.followed.checked));
    this.root = element('div', {className: 'card person', hidden: true},
      element('button', {className: 'close', textContent: '×', title: 'Close (Esc)',
        onclick: close}), this.name, this.table,
      element('label', {}, this.followed, ' keep in the middle'), this.curve);
    this.curve.addEventListener('click', event => {
      const box = this.curve.getBoundingClientRect();
      const {time} = this.path || {time: []};
      if (time.length > 1) {
        seek(time[0] + (event.clientX - box.left) / box.width * (time.at(-1) - time[0]));
      }
    });
  }

  hide() {
    this.root.hidden = true;
    this.path = null;
    this.followed.checked = false;
  }

  // path: null while it is read.
  show(stay, path) {
    const {stays, times, head, frames} = this.source;
    const [first, last] = [stays.first[stay], stays.last[stay]];
    const named = (column, table) => head.names[column][table[stay]] || '';
    this.path = path;
    this.root.hidden = false;
    this.name.textContent = `Person ${stays.id[stay]}`;
    const rows = [['source', named('source', stays.source)],
      ['profile', named('profile', stays.profile)],
      ['destination', named('destination', stays.destination)],
      ['inside', `${clock(times[first])} to ${last === frames - 1 ? 'the end'
        : clock(times[last])} (${duration(times[last] - times[first])})`]];
    if (path) {
      rows.push(...this.facts(path));
    } else {
      rows.push(['path', 'is read …']);
    }
    this.table.replaceChildren(...rows.filter(row => row[1]).map(row => element('tr', {},
      ...row.map(text => element('td', {textContent: text})))));
  }

  facts(path) {
    const {head} = this.source;
    const end = path.x.length - 1;
    const place = i => `${path.x[i].toFixed(1)}, ${path.y[i].toFixed(1)} m`;
    const rows = [['start', place(0)], ['end', place(end)]];
    this.speeds = [];
    let length = 0;
    for (let i = 1; i <= end; i++) {
      const step = Math.hypot(path.x[i] - path.x[i - 1], path.y[i] - path.y[i - 1]);
      length += step;
      this.speeds.push(step / (path.time[i] - path.time[i - 1]));
    }
    if (head.straight && end > 0) {
      const seconds = path.time[end] - path.time[0];
      const still = this.speeds.filter(speed => speed < head.still).length * head.interval;
      rows.push(['way', `${rounded(length)} m, mean ${rounded(length / seconds)} m/s`],
        ['stood', duration(still)]);
    }
    return rows;
  }

  // The curve of speeds with a mark at a time (s).
  drawCurve(time) {
    if (!this.path || !this.speeds || this.speeds.length < 1) {
      this.curve.hidden = true;
      return;
    }
    this.curve.hidden = false;
    const pixels = window.devicePixelRatio || 1;
    const [width, height] = [this.curve.clientWidth, this.curve.clientHeight];
    this.curve.width = width * pixels;
    this.curve.height = height * pixels;
    const context = this.curve.getContext('2d');
    context.scale(pixels, pixels);
    const times = this.path.time;
    const most = Math.max(1.5, ...this.speeds);
    const x = t => (t - times[0]) / (times.at(-1) - times[0]) * width;
    const y = speed => height - 14 - speed / most * (height - 26);
    context.beginPath();
    this.speeds.forEach((speed, i) => {
      context.lineTo(x(times[i]), y(speed));
      context.lineTo(x(times[i + 1]), y(speed));
    });
    context.strokeStyle = '#1d4f91';
    context.stroke();
    context.fillStyle = '#5c6169';
    context.font = `10px ${FONT}`;
    context.fillText(`speed, up to ${rounded(Math.max(...this.speeds))} m/s`, 0, 9);
    context.fillText(clock(times[0]), 0, height - 2);
    context.textAlign = 'right';
    context.fillText(clock(times.at(-1)), width, height - 2);
    context.strokeStyle = '#c1121f';
    context.beginPath();
    context.moveTo(x(time), 12);
    context.lineTo(x(time), height - 13);
    context.stroke();
  }
}

// Everything else: title, clock, slider, buttons.
class Panel {
  constructor(source, actions) {
    const {head} = source;
    this.source = source;
    const short = source.times.at(-1) - source.times[0] < 120;
    this.time = seconds => clock(seconds, short);
    this.clock = element('span', {className: 'clock'});
    this.people = element('span');
    this.about = element('div', {className: 'about'}, element('b', {textContent: head.title}),
      this.clock, this.people, ...head.notes.map(note =>
        element('span', {className: 'faint notes', textContent: note})));
    this.play = element('button', {className: 'play', title: 'Play and pause (space)',
      onclick: actions.toggle});
    this.slider = element('input', {type: 'range', min: source.times[0],
      max: source.times.at(-1), step: 'any', ariaLabel: 'Time'});
    this.slider.addEventListener('input', () => actions.seek(Number(this.slider.value)));
    this.rate = element('select', {title: 'Simulated time per time (keys [ and ])',
      ariaLabel: 'Speed of the film'}, ...SPEEDS_OF_TIME.map(rate =>
      element('option', {value: rate, textContent: `${rate} ×`})));
    this.rate.addEventListener('change', () => actions.setRate(Number(this.rate.value)));
    this.end = element('span', {className: 'time'});
    const button = (text, title, act) => element('button', {textContent: text, title,
      ariaLabel: title, onclick: act});
    this.bar = element('div', {className: 'bar'}, this.play, this.slider, this.end, this.rate,
      button('Full', 'Full screen (f)', actions.full));
    const zoom = element('div', {className: 'card zoom'},
      button('+', 'Closer (+)', () => actions.zoom(1.5)),
      button('−', 'Farther (−)', () => actions.zoom(1 / 1.5)),
      button('⌂', 'Everything (0)', actions.fit));
    this.scaleBar = element('i');
    this.scaleText = element('span');
    this.scale = element('div', {className: 'scale'}, this.scaleText, this.scaleBar);
    // One above the other, however many lines the attribution takes.
    this.corner = element('div', {className: 'corner'}, zoom,
      element('div', {className: 'credit', textContent: head.attribution}));
    this.busy = element('div', {className: 'card busy', textContent: 'reading …', hidden: true});
  }

  // Only what is another one is written: every change makes the browser lay out and draw again.
  show(time, playing, rate) {
    const {source} = this;
    const write = (part, name, value) => {
      if (part[name] !== value) {
        part[name] = value;
      }
    };
    write(this.clock, 'textContent', this.time(time));
    const inside = source.inside[source.at(time).frame];
    write(this.people, 'textContent', inside === 1 ? '1 person' : `${count(inside)} people`);
    write(this.play, 'textContent', playing ? '❚❚ Pause' : '▶ Play');
    write(this.end, 'textContent', `of ${this.time(source.times.at(-1))}`);
    write(this.rate, 'value', String(rate));
    // The slider has some hundred places.
    const place = (time - source.times[0]) / (source.times.at(-1) - source.times[0] || 1);
    if (!playing || Math.abs(place - (this.slid ?? -1)) > 0.002) {
      this.slid = place;
      this.slider.value = time;
    }
  }

  showScale(view) {
    if (view.scale === this.scaled) {
      return;
    }
    this.scaled = view.scale;
    const [metres, pixels] = scaleLength(view, 120);
    this.scaleBar.style.width = `${pixels}px`;
    this.scaleText.textContent = metres >= 1000 ? `${metres / 1000} km`
      : metres >= 1 ? `${metres} m` : `${Math.round(metres * 100)} cm`;
  }
}
