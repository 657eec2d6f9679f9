'use strict';
// Names on the map. People are drawn above them: names are small, thin and few enough that
// everybody can be seen. More of them appear from nearer.

// Languages that system-ui may lack come last.
const FONT = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", "Noto Sans", "Noto Sans CJK JP", ' +
  '"Noto Sans CJK SC", "Hiragino Sans", "Yu Gothic", "PingFang SC", "Microsoft YaHei", ' +
  '"WenQuanYi Zen Hei", "Noto Sans Arabic", "Geeza Pro", sans-serif';
// Pixels kept free around a name. What is above gets its place first.
const ROOM = {destination: 2, label: 24, door: 8, line: 8, queue: 8, area: 8, street: 24};
// Kinds of labels that lead people come first; those that name the whole map last.
const KINDS = ['station', 'square', 'park', 'suburb', 'quarter'];
const LAST = ['town', 'city'];
const SMALL = 34; // pixels: the name of a lower place stands below it, not in it
const PALE = 0.8; // opacity

// view: which part of the world is seen.
function paintNames(context, features, colours, view) {
  const taken = [];
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 2.5;
  context.globalAlpha = PALE;
  for (const role of Object.keys(ROOM)) {
    const named = features.filter(one => one.role === role && one.name);
    named.sort((a, b) => rank(a.kind) - rank(b.kind)); // stable: otherwise as in the file
    named.forEach(one => paintName(context, colours, view, one, taken));
  }
  context.globalAlpha = 1;
}

function rank(kind) {
  const first = KINDS.indexOf(kind);
  return first >= 0 ? first : KINDS.length + Math.max(0, LAST.indexOf(kind) + 1);
}

function paintName(context, colours, view, one, taken) {
  const {role, name} = one;
  context.font = `${role === 'destination' ? '600 12px' : '11px'} ${FONT}`;
  const width = context.measureText(name).width;
  const street = role === 'street';
  for (const spot of street ? streetSpots(one, view, width) : nameSpots(one, view)) {
    const place = placeOf(spot, width, view, role);
    if (!place || taken.some(other => clashes(other, place, name, ROOM[role]))) {
      continue;
    }
    taken.push({...place, name});
    context.save();
    context.translate(place.x, place.y);
    context.rotate(spot.angle);
    context.strokeStyle = colours.halo;
    context.strokeText(name, 0, 0);
    context.fillStyle = street ? colours.faintInk : colours.ink;
    context.fillText(name, 0, 0);
    context.restore();
    if (street) {
      return;
    }
  }
}

// Where a name stands and how far it reaches, in pixels; null: not on the screen. A destination's
// name at the border moves inwards, others are left out.
function placeOf(spot, width, view, role) {
  let [x, y] = view.pixel(spot.x, spot.y);
  const {angle} = spot;
  const [along, across] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const half = [along * width / 2 + across * 7 + 1, across * width / 2 + along * 7 + 1];
  if (x < 0 || x > view.width || y < 0 || y > view.height) {
    return null;
  }
  y += spot.below;
  const inside = [Math.min(view.width - half[0], Math.max(half[0], x)),
    Math.min(view.height - half[1], Math.max(half[1], y))];
  if (role === 'destination') {
    [x, y] = inside;
  } else if (inside[0] !== x || inside[1] !== y) {
    return null;
  }
  return {x, y, half};
}

// Whether a place has no room beside one that is taken. The same word twice tells nothing.
function clashes(other, place, name, room) {
  const free = other.name === name ? 4 * room : room;
  return Math.abs(other.x - place.x) < other.half[0] + place.half[0] + free &&
    Math.abs(other.y - place.y) < other.half[1] + place.half[1] + free / 2;
}

// The middles of the parts of a feature; below: pixels from there to the name.
function nameSpots(one, view) {
  const parts = [...one.polygons.map(rings => rings[0]), ...one.lines, ...one.points];
  return parts.map(points => {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      x0 = Math.min(x0, points[i]);
      x1 = Math.max(x1, points[i]);
      y0 = Math.min(y0, points[i + 1]);
      y1 = Math.max(y1, points[i + 1]);
    }
    const height = (y1 - y0) * view.scale;
    const below = one.role === 'label' || height >= SMALL ? 0 : height / 2 + 9;
    return {x: (x0 + x1) / 2, y: (y0 + y1) / 2, angle: 0, below};
  });
}

// The middle of the longest straight part of a street, if the name fits beside it.
function streetSpots(one, view, width) {
  let best = null;
  for (const points of one.lines) {
    for (let i = 2; i < points.length; i += 2) {
      const dx = points[i] - points[i - 2];
      const dy = points[i + 1] - points[i - 1];
      const length = Math.hypot(dx, dy);
      if (!best || length > best.length) {
        const angle = Math.atan2(-dy, dx);
        best = {length, x: points[i] - dx / 2, y: points[i + 1] - dy / 2, below: 0,
          angle: Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle};
      }
    }
  }
  return best && best.length * view.scale > 0.8 * width ? [best] : [];
}
