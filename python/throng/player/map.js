'use strict';
// The map under the people: drawn once for a view, and moved as a picture while the view changes.

const TRACKS = ['rail', 'light_rail', 'tram', 'narrow_gauge'];
const SETTLED = 120; // ms without a change until the map is drawn anew

// Rings and lines as they are packed in backdrop.py, in m.
function unpackLine(steps, quantum, corner) {
  const points = new Float64Array(steps.length);
  let x = 0;
  let y = 0;
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    points[i] = corner[0] + x * quantum;
    points[i + 1] = corner[1] + y * quantum;
  }
  return points;
}

function addTo(path, points, close) {
  for (let i = 0; i < points.length; i += 2) {
    path[i ? 'lineTo' : 'moveTo'](points[i], points[i + 1]);
  }
  if (close) {
    path.closePath();
  }
}

class MapLayer {
  constructor(data, colours) {
    this.colours = colours;
    const line = steps => unpackLine(steps, data.quantum, data.corner);
    this.features = data.features.map(one => {
      const polygons = (one.polygons || []).map(rings => rings.map(line));
      const lines = (one.lines || []).map(line);
      const path = new Path2D();
      polygons.forEach(rings => rings.forEach(ring => addTo(path, ring, true)));
      lines.forEach(points => addTo(path, points, false));
      return {...one, polygons, lines, points: (one.points || []).map(line), path};
    });
    this.canvas = document.createElement('canvas');
    this.picture = null; // the view of which this.canvas is a picture
  }

  // Draws on a context of canvas; sharp: draw anew even if there is a picture of another view.
  // Returns whether the picture is that of this view.
  draw(context, view, pixels, sharp) {
    const {width, height, x, y, scale} = view;
    const old = this.picture;
    const same = old && old.width === width && old.height === height && old.pixels === pixels &&
      old.x === x && old.y === y && old.scale === scale;
    // A picture of somewhere else is of no use.
    const far = old && (Math.abs(old.x - x) * scale > width / 3 || Math.abs(old.y - y) * scale >
      height / 3 || old.scale > 2 * scale || scale > 3 * old.scale);
    if (!same && (sharp || !old || far || old.pixels !== pixels)) {
      this.picture = {width, height, x, y, scale, pixels};
      this.paint(view, pixels);
    }
    const {picture} = this;
    const factor = scale / picture.scale;
    const left = width / 2 + (picture.x - x) * scale - picture.width / 2 * factor;
    const top = height / 2 - (picture.y - y) * scale - picture.height / 2 * factor;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.colours.outside;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    context.drawImage(this.canvas, left * pixels, top * pixels,
      picture.width * factor * pixels, picture.height * factor * pixels);
    return same || sharp;
  }

  paint(view, pixels) {
    this.canvas.width = Math.round(view.width * pixels);
    this.canvas.height = Math.round(view.height * pixels);
    const context = this.canvas.getContext('2d');
    context.fillStyle = this.colours.outside;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const factor = view.scale * pixels;
    context.setTransform(factor, 0, 0, -factor,
      (view.width / 2 - view.x * view.scale) * pixels,
      (view.height / 2 + view.y * view.scale) * pixels);
    const walkable = this.features.some(one => one.role === 'walkable');
    const thin = 1 / view.scale;
    for (const one of this.features) {
      this.paintShape(context, one, thin, walkable);
    }
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    paintNames(context, this.features, this.colours, view);
  }

  // thin: a pixel in m.
  paintShape(context, one, thin, walkable) {
    const {colours} = this;
    const fill = colour => {
      context.fillStyle = colour;
      context.fill(one.path); // outlines and holes run opposite ways
    };
    const stroke = (colour, width, dashes = []) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dashes);
      context.stroke(one.path);
      context.setLineDash([]);
    };
    context.lineJoin = 'round';
    switch (one.role) {
      case 'ground': fill(walkable ? colours.solid : colours.ground); break;
      case 'walkable':
        fill(colours.ground);
        stroke(colours.edge, thin);
        break;
      case 'obstacle':
        fill(colours.kinds[one.kind] || colours.solid);
        stroke(colours.kinds[one.kind] ? colours.faint : colours.edge, 0.7 * thin);
        break;
      case 'wall': stroke(colours.wall, Math.max(0.15, 1.2 * thin)); break;
      case 'street':
        if (TRACKS.includes(one.kind)) { // a thin line with sleepers
          stroke(colours.rail, 0.8 * thin);
          stroke(colours.rail, 3 * thin, [thin, 5 * thin]);
        } else {
          stroke(colours.street, 1.5 * thin);
        }
        break;
      case 'destination':
        context.globalAlpha = 0.18;
        fill(this.destinationColour(one.index));
        context.globalAlpha = 1;
        stroke(this.destinationColour(one.index), 1.5 * thin);
        break;
      case 'source': stroke(colours.source, thin, [4 * thin, 3 * thin]); break;
      case 'area': case 'zone': stroke(colours.area, thin, [2 * thin, 3 * thin]); break;
      case 'door': stroke(colours.door, Math.max(0.3, 3 * thin)); break;
      case 'line': stroke(colours.line, 1.5 * thin); break;
      case 'queue': stroke(colours.queue, thin, [thin, 2 * thin]); break;
    }
  }

  destinationColour(index) {
    const {destinations} = this.colours;
    return destinations[Math.min(index ?? 0, destinations.length - 1)];
  }
}
