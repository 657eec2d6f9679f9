'use strict';
// The chosen person and its way, above everybody else.

const MARK = '#c1121f';

// canvas: where it is drawn; state: chosen ({path} or null), head, time, view, pixels; place: where
// the person is ({x, y}), or null.
function drawMarks(canvas, state, place) {
  const {chosen, view, pixels, head} = state;
  canvas.hidden = !chosen; // an empty layer costs the browser as much as a full one
  if (!chosen) {
    return;
  }
  const context = canvas.getContext('2d');
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(pixels, 0, 0, pixels, 0, 0);
  if (chosen.path) {
    drawWay(context, chosen.path, view, state.time, place, head.straight);
  }
  if (place) {
    const [x, y] = view.pixel(place.x, place.y);
    context.beginPath();
    context.arc(x, y, discRadius(view, head) + 4, 0, 2 * Math.PI);
    for (const [colour, width] of [['#fff', 4], [MARK, 2]]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
  }
}

// What is behind as a line, what is ahead in dots. Without straight lines between frames, only the
// places of the frames are known: dots.
function drawWay(context, path, view, time, place, straight) {
  const spots = path.x.map((x, i) => view.pixel(x, path.y[i]));
  const end = spots.length - 1;
  const passed = path.time.filter(one => one <= time).length - 1;
  const here = place ? [view.pixel(place.x, place.y)] : [];
  const line = (points, dashes, colour, width) => {
    context.beginPath();
    points.forEach(([x, y]) => context.lineTo(x, y));
    context.setLineDash(dashes);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
    context.setLineDash([]);
  };
  context.lineJoin = 'round';
  if (straight) {
    line([...here, ...spots.slice(passed + 1)], [2, 4], MARK, 1.5);
    const behind = [...spots.slice(0, passed + 1), ...here];
    line(behind, [], 'rgba(255,255,255,0.85)', 4);
    line(behind, [], MARK, 2);
  } else {
    context.fillStyle = MARK;
    spots.forEach(([x, y]) => context.fillRect(x - 1.5, y - 1.5, 3, 3));
  }
  for (const i of [0, end]) { // where it comes from: hollow; where it ends: full
    const [x, y] = spots[i];
    context.fillStyle = i ? MARK : '#fff';
    context.fillRect(x - 3.5, y - 3.5, 7, 7);
    context.strokeStyle = MARK;
    context.lineWidth = 1;
    context.strokeRect(x - 3.5, y - 3.5, 7, 7);
  }
}
