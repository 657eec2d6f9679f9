#!/usr/bin/env python3
"""The geometry part of osm2geojson.sh: converts OpenStreetMap objects to obstacles.

Reads the output of `osmium export -f geojsonseq` and writes a GeoJSON FeatureCollection of
polygons, with streets and names as a backdrop of pictures. Works in metres on a plane around the centre of the box, with shapely 1.8 or 2.
"""
import argparse
import json
import math
import os
import sys

from shapely import ops
from shapely.affinity import affine_transform
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box, shape
from shapely.geometry.polygon import orient
from shapely.prepared import prep
from shapely.validation import make_valid

ATTRIBUTION = ("Map data (c) OpenStreetMap contributors, ODbL 1.0 "
               "(https://www.openstreetmap.org/copyright)")
EQUATOR, FLATTENING = 6378137.0, 1 / 298.257223563   # m, WGS84
MARGIN = 2.0               # m, added around the box, so that its border is not a special case
SMALLEST = 1.0             # m^2; smaller polygons and holes are dropped
SLIT = 0.3                 # m; narrower gaps between buildings are closed
FOOT_WIDTH, ROAD_WIDTH = 3.0, 5.0   # m, for passages and bridges without a tagged width
BARRIER_WIDTH, GATE_WIDTH = 0.3, 2.0
NOT_A_BUILDING = {"no", "roof", "bridge", "pier", "canopy"}
FOOT = {"footway", "path", "steps", "pedestrian", "corridor", "cycleway", "platform"}
NO_WAY = {"elevator", "proposed", "construction", "raceway", "razed", "abandoned"}
TRACKS = {"rail", "light_rail", "tram", "narrow_gauge"}   # values of railway
BARRIERS = {"wall", "city_wall", "retaining_wall", "fence", "hedge", "guard_rail"}
NAMED = {"place": {"city", "town", "village", "hamlet", "suburb", "quarter", "neighbourhood",
                   "square", "island", "locality"},
         "railway": {"station", "halt"}, "public_transport": {"station"},
         "leisure": {"stadium", "park", "marina"},
         "amenity": {"hospital", "townhall", "university", "theatre", "marketplace"},
         "tourism": {"museum", "zoo", "aquarium", "theme_park"}}   # tags of labels
STREET_TOLERANCE = 0.5     # m; streets are only drawn
OPENINGS = {"gate", "entrance", "lift_gate", "swing_gate", "kissing_gate", "bollard", "stile",
            "cycle_barrier", "sally_port", "turnstile"}


class Bad(Exception):
    """An error in the input or in an option: reported, exit code 1."""


def warn(text):
    print("osm2geojson: warning: " + text, file=sys.stderr)


# --- the plane -----------------------------------------------------------------------------------

class Plane:
    """Equirectangular projection around a point, as in throng: degrees to metres and back."""

    def __init__(self, lon, lat):
        self.lon, self.lat = lon, lat
        square = FLATTENING * (2 - FLATTENING)
        bend = 1 - square * math.sin(math.radians(lat)) ** 2
        prime_vertical = EQUATOR / math.sqrt(bend)
        meridian = EQUATOR * (1 - square) / (bend * math.sqrt(bend))
        self.x_scale = math.radians(prime_vertical * math.cos(math.radians(lat)))
        self.y_scale = math.radians(meridian)

    def metres(self, geometry):
        return affine_transform(geometry, [self.x_scale, 0, 0, self.y_scale,
                                           -self.lon * self.x_scale, -self.lat * self.y_scale])

    def degrees(self, x, y):
        return round(self.lon + x / self.x_scale, 7), round(self.lat + y / self.y_scale, 7)

    def coarse_degrees(self, x, y):
        """To 0.1 m, for what is only drawn."""
        return round(self.lon + x / self.x_scale, 6), round(self.lat + y / self.y_scale, 6)


def polygons(geometry):
    """All polygons in a geometry, without empty ones."""
    if geometry.is_empty:
        return []
    if geometry.geom_type == "Polygon":
        return [geometry]
    return [p for part in getattr(geometry, "geoms", []) for p in polygons(part)]


def lines(geometry):
    """All lines in a geometry."""
    if geometry.is_empty:
        return []
    if geometry.geom_type in ("LineString", "LinearRing"):
        return [geometry]
    return [p for part in getattr(geometry, "geoms", []) for p in lines(part)]


def unite(geometries):
    """The union of all polygons, as one valid geometry; may be empty."""
    valid = [p for g in geometries for p in polygons(g if g.is_valid else make_valid(g))]
    return MultiPolygon(polygons(ops.unary_union(valid)))


# --- reading -------------------------------------------------------------------------------------

class Object:
    """One exported feature: its tags and its geometry, in degrees, later in metres."""

    def __init__(self, feature):
        self.tags = {k: str(v) for k, v in feature["properties"].items()}
        self.geometry = shape(feature["geometry"])

    @property
    def is_area(self):
        return self.geometry.geom_type in ("Polygon", "MultiPolygon")

    @property
    def is_line(self):
        return self.geometry.geom_type == "LineString"

    def tag(self, key):
        return self.tags.get(key, "")

    def number(self, key, otherwise=0.0):
        """The leading number of a tag such as `3.5 m`."""
        try:
            return float(self.tag(key).split(";")[0].split()[0].rstrip("m"))
        except (ValueError, IndexError):
            return otherwise


def read_objects(path):
    with open(path, encoding="utf-8") as stream:
        return [Object(json.loads(line)) for line in stream if line.strip()]


def is_hidden(thing):
    """Below or above the ground, so not an obstacle."""
    if thing.tag("location") in ("underground", "roof", "indoor", "overhead", "rooftop"):
        return True
    if thing.tag("underground") == "yes" or thing.tag("tunnel") in ("yes", "culvert"):
        return True
    return thing.number("layer") < 0 and thing.tag("location") not in ("surface", "outdoor")


def is_raised(thing):
    """A building whose lowest floor is above the ground."""
    return (thing.number("building:min_level") >= 1 or thing.number("min_level") >= 1 or
            thing.number("min_height") >= 2)


def is_building(thing, key="building"):
    return (thing.is_area and thing.tag(key) not in {""} | NOT_A_BUILDING and
            not is_hidden(thing) and not is_raised(thing))


def is_water(thing):
    if not thing.is_area or is_hidden(thing) or thing.tag("covered") == "yes":
        return False
    return (thing.tag("natural") == "water" or thing.tag("waterway") in ("riverbank", "dock") or
            thing.tag("landuse") in ("reservoir", "basin") or
            thing.tag("leisure") == "swimming_pool" or thing.tag("amenity") == "fountain")


def is_pier(thing):
    return (thing.tag("man_made") in ("pier", "breakwater", "groyne") or
            thing.tag("building") == "pier")


def is_way(thing):
    return thing.is_line and thing.tag("highway") not in {""} | NO_WAY


def is_passage(thing):
    """A way through a building, open at both ends."""
    if not is_way(thing):
        return False
    if thing.tag("tunnel") == "building_passage":
        return True
    return (thing.tag("covered") in ("yes", "arcade", "colonnade") and
            thing.number("layer") >= 0 and thing.tag("tunnel") in ("", "no"))


def is_bridge(thing):
    return is_way(thing) and thing.tag("bridge") not in ("", "no")


def is_street(thing):
    """A way in the open air, to be drawn."""
    return is_way(thing) and not is_hidden(thing) and thing.tag("indoor") in ("", "no")


def track_kind(thing):
    """What runs on a railway in the open air; "": it is none."""
    kind = thing.tag("railway")
    return kind if thing.is_line and kind in TRACKS and not is_hidden(thing) else ""


def label_kind(thing):
    """What the name of an object names; "" if it is no label."""
    if not thing.tag("name"):
        return ""
    if thing.is_area and thing.tag("highway") == "pedestrian":
        return "square"
    return next((thing.tag(key) for key, values in NAMED.items() if thing.tag(key) in values), "")


def is_barrier(thing):
    return not is_hidden(thing) and (thing.tag("barrier") in BARRIERS or
                                     thing.tag("natural") == "cliff")


# --- the sea -------------------------------------------------------------------------------------

def loose_ends(coast, frame):
    """The points at which a coastline starts or ends inside the frame."""
    count = {}
    for line in coast:
        for end in (line.coords[0], line.coords[-1]):
            key = (round(end[0], 3), round(end[1], 3))
            count.setdefault(key, [0, end])[0] += 1
    return [Point(end) for n, end in count.values()
            if n == 1 and frame.exterior.distance(Point(end)) > 0.01]


def way_to_border(end, coast, frame):
    """The shortest straight line from a loose end to a side of the frame that crosses no coast."""
    west, south, east, north = frame.bounds
    sides = [(west, end.y), (east, end.y), (end.x, south), (end.x, north)]
    here = end.buffer(0.02)
    for side in sorted(sides, key=lambda s: end.distance(Point(s))):
        line = LineString([end, side])
        if all(line.intersection(c).within(here) for c in coast if line.intersects(c)):
            return line
    return None


def close_loose_ends(coast, frame, plane):
    """Straight lines from all loose ends of the coast to the frame."""
    closing = []
    for end in loose_ends(coast, frame):
        line = way_to_border(end, coast + closing, frame)
        where = "%.5f,%.5f" % plane.degrees(end.x, end.y)
        if line is None:
            warn("the coastline ends at %s and no straight line reaches the border; "
                 "choose a box that excludes this point" % where)
            continue
        warn("the coastline ends at %s inside the box; closed straight to the border, %.0f m away"
             % (where, line.length))
        closing.append(line)
    return closing


def vote(faces, coast):
    """For each face: metres of coast with the face on their right (water) and on their left."""
    prepared = [(prep(f), f.bounds) for f in faces]
    votes = [[0.0, 0.0] for _ in faces]
    for line in coast:
        for (x0, y0), (x1, y1) in zip(line.coords, line.coords[1:]):
            length = math.hypot(x1 - x0, y1 - y0)
            if length < 0.05:
                continue
            dx, dy = (x1 - x0) / length * 0.01, (y1 - y0) / length * 0.01
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            for side, (px, py) in enumerate(((x + dy, y - dx), (x - dy, y + dx))):
                for i, (face, b) in enumerate(prepared):
                    if b[0] <= px <= b[2] and b[1] <= py <= b[3] and face.contains(Point(px, py)):
                        votes[i][side] += length
    return votes


def close_sea(coast, frame, plane):
    """The sea in the frame. Coastlines have land on their left and water on their right.

    The coast, and straight extensions of its loose ends, divide the frame into faces. A face is
    water if more metres of coast have it on their right than on their left.
    """
    inside = [line for c in coast for line in lines(c.intersection(frame)) if line.length > 0]
    if not inside:
        return MultiPolygon([])
    closing = close_loose_ends(inside, frame, plane)
    faces = list(ops.polygonize(ops.unary_union(inside + closing + [frame.exterior])))
    water = []
    for face, (right, left) in zip(faces, vote(faces, inside)):
        if min(right, left) > 0.05 * max(right, left):
            where = face.representative_point()
            warn("the coastline contradicts itself at %.5f,%.5f: %.0f m indicate water, "
                 "%.0f m land" % (plane.degrees(where.x, where.y) + (right, left)))
        if right > left:
            water.append(face)
    return unite(water)


# --- what people walk on or through ---------------------------------------------------------------

def corridor(way):
    """The ground that a way covers, with its tagged width or a typical one."""
    usual = FOOT_WIDTH if way.tag("highway") in FOOT else ROAD_WIDTH
    width = min(max(way.number("width", usual), 1.5), 30.0)
    return way.geometry.buffer(width / 2, cap_style=3, join_style=2, mitre_limit=2)


def pier_ground(piers, sea, frame):
    """The piers that start on land, slightly extended so that they touch it."""
    grounds = [p.geometry if p.is_area else corridor(p) for p in piers if p.is_area or p.is_line]
    land = frame.difference(sea)
    return unite(p.buffer(0.4, join_style=2) for p in polygons(unite(grounds))
                 if p.distance(land) < 0.5)


def barrier_ground(objects, ways, gates):
    """Barriers as thin polygons, open at gates and where a way crosses on the ground."""
    walls = []
    for thing in objects:
        outline = thing.geometry.boundary if thing.is_area else thing.geometry
        walls.append(outline.buffer(BARRIER_WIDTH / 2, cap_style=2, join_style=2, mitre_limit=2))
    openings = [corridor(w) for w in ways if w.tag("tunnel") in ("", "no", "building_passage")]
    openings += [g.geometry.buffer(GATE_WIDTH / 2, 2) for g in gates]
    return unite(walls).difference(unite(openings))


# --- cleaning ------------------------------------------------------------------------------------

def without_small_holes(polygon):
    return Polygon(polygon.exterior,
                   [r for r in polygon.interiors if Polygon(r).area >= SMALLEST])


def clean(geometry, tolerance):
    """Removes corners, slivers and small holes; the result is valid."""
    if tolerance > 0:
        geometry = unite([geometry.simplify(tolerance)])
    return MultiPolygon([without_small_holes(p) for p in polygons(geometry)
                         if p.area >= SMALLEST])


def without_slits(geometry):
    """Closes gaps between buildings that are too narrow for a person."""
    grown = geometry.buffer(SLIT / 2, join_style=2, mitre_limit=2)
    return unite([unite([grown.buffer(-SLIT / 2, join_style=2, mitre_limit=2)]), geometry])


def reachable(solid, frame, clearance):
    """Free ground, and the part that a disc of this radius can reach from outside the frame."""
    free = frame.difference(solid)
    room = [p for p in polygons(frame.buffer(clearance + 1, join_style=2)
                                .difference(solid).buffer(-clearance, 4))]
    rim = frame.exterior
    start = prep(rim.buffer(0.01).difference(solid))
    open_room = unite(p for p in room if start.intersects(p))
    return free, open_room.buffer(clearance + 0.1, 2).intersection(free)


def locked_ground(solid, frame, clearance):
    """Free ground, and its part that cannot be reached from the border, without mere corners."""
    free, reached = reachable(solid, frame, clearance)
    rest = free.difference(reached)
    pieces = [p for p in polygons(rest.buffer(-0.1, 1).buffer(0.15, 1)) if p.area >= SMALLEST]
    return free, unite(pieces)


def mapped_ground(buildings, sea, frame):
    """The area in which the map has houses, and the rim around it, where people leave.

    The buildings are grown together and united with the sea and its shore, so that the rim, 20 m
    wide, is only on the land side.
    """
    grown = polygons(buildings.buffer(75, 4).buffer(-50, 4))
    ground = unite([Polygon(p.exterior) for p in grown if p.area > 10000] + [sea.buffer(80, 4)])
    ground = unite([ground.buffer(30, 4).buffer(-30, 4).simplify(3)])
    rim = ground.buffer(20, 4).difference(ground).simplify(1)
    return ground.intersection(frame), rim.intersection(frame).difference(sea)


# --- writing -------------------------------------------------------------------------------------

def ring(coordinates, round_corner):
    """Rounded corners without duplicates, closed."""
    out = []
    for x, y in coordinates:
        corner = round_corner(x, y)
        if not out or corner != out[-1]:
            out.append(corner)
    return out


def rounded(polygon, round_corner, smallest, tries=3):
    """The polygon with rounded corners, valid: possibly in several pieces, possibly none."""
    rings = [ring(r.coords, round_corner) for r in [polygon.exterior] + list(polygon.interiors)]
    if len(rings[0]) < 4:
        return []
    result = Polygon(rings[0], [r for r in rings[1:] if len(r) >= 4])
    if result.is_valid:
        return [result] if result.area >= smallest else []
    if tries == 0:
        raise Bad("a polygon with %d corners remains invalid" % len(rings[0]))
    return [piece for part in polygons(make_valid(result))
            for piece in rounded(part, lambda x, y: (round(x, 7), round(y, 7)), smallest,
                                 tries - 1)]


def features(polygon, properties, plane):
    """One feature; several if rounding divided the polygon."""
    smallest = 0.5 * SMALLEST / (plane.x_scale * plane.y_scale)
    for piece in rounded(polygon, plane.degrees, smallest):
        piece = orient(piece)
        rings = [[list(c) for c in r.coords] for r in [piece.exterior] + list(piece.interiors)]
        yield {"type": "Feature", "properties": properties,
               "geometry": {"type": "Polygon", "coordinates": rings}}


def write_geojson(path, content, bbox, source):
    """Writes one feature per line; renames at the end, so that a file is never incomplete. A device,
    a pipe or a standard stream is written as it is."""
    head = {"type": "FeatureCollection", "attribution": ATTRIBUTION, "source": source,
            "bbox": [round(v, 7) for v in bbox]}
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    text = json.dumps(head, **compact)[:-1] + ',"features":[\n'
    text += ",\n".join(json.dumps(f, **compact) for f in content) + "\n]}\n"
    special = os.path.islink(path) or not os.path.isfile(path) and os.path.exists(path)
    begun = path if special else path + ".tmp"
    try:
        with open(begun, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(begun, path)
    except OSError as error:
        raise Bad("%s: %s" % (path, error.strerror))


def obstacle_features(layers, frame, plane):
    """The polygons of all layers, clipped to the frame; within a layer from south to north."""
    out = []
    for kind, geometry in layers.items():
        cut = [p for p in polygons(unite([geometry.intersection(frame)])) if p.area >= SMALLEST]
        for p in sorted(cut, key=lambda p: (p.bounds[1], p.bounds[0])):
            out.extend(features(p, {"throng": "obstacle", "kind": kind}, plane))
    return out


def area_features(layers, frame, plane):
    """The areas `mapped` and `rim`, in which people start and leave."""
    areas = zip(("mapped", "rim"), mapped_ground(layers["building"], layers["sea"], frame))
    return [f for name, area in areas for p in polygons(area)
            for f in features(p, {"throng": "area", "name": name}, plane)]


def street_features(objects, frame, plane):
    """The streets and tracks within the frame: one feature for all pieces of a kind and name.
    Tracks have no name: that of a line of trains says nothing to who walks."""
    streets = {}
    for thing in objects:
        if is_street(thing):
            streets.setdefault((thing.tag("highway"), thing.tag("name")), []).append(thing.geometry)
        if track_kind(thing):
            streets.setdefault((track_kind(thing), ""), []).append(thing.geometry)
    for (kind, name), ways in sorted(streets.items()):
        merged = ops.linemerge([line for way in ways for line in lines(way.intersection(frame))])
        pieces = [ring(p.simplify(STREET_TOLERANCE).coords, plane.coarse_degrees)
                  for p in lines(merged)]
        pieces = sorted(p for p in pieces if len(p) > 1)
        if pieces:
            yield {"type": "Feature", "properties": properties_of("street", kind, name),
                   "geometry": {"type": "MultiLineString", "coordinates": pieces}}


def label_features(objects, frame, plane):
    """A point for each name of a place; nodes count before areas, which repeat many of them."""
    labels = {}
    for thing in sorted(objects, key=lambda o: o.geometry.geom_type != "Point"):
        kind = label_kind(thing)
        if not kind or thing.is_line:
            continue
        at = thing.geometry
        if thing.is_area:
            inside = unite([at]).intersection(frame)
            at = inside.representative_point() if not inside.is_empty else inside
        if not at.is_empty and frame.intersects(at):
            labels.setdefault((kind, thing.tag("name")), plane.coarse_degrees(at.x, at.y))
    for (kind, name), at in sorted(labels.items()):
        yield {"type": "Feature", "properties": properties_of("label", kind, name),
               "geometry": {"type": "Point", "coordinates": at}}


def properties_of(role, kind, name):
    properties = {"throng": role, "kind": kind, "name": name}
    return {key: value for key, value in properties.items() if value}


def corners(geometry):
    """All positions of a GeoJSON geometry."""
    if isinstance(geometry[0], (int, float)):
        return [geometry]
    return [position for part in geometry for position in corners(part)]


def bounds_of(content):
    """west, south, east, north of features."""
    found = [position for f in content for position in corners(f["geometry"]["coordinates"])]
    return (min(p[0] for p in found), min(p[1] for p in found),
            max(p[0] for p in found), max(p[1] for p in found))


# --- the whole -----------------------------------------------------------------------------------

def parse_box(text):
    try:
        west, south, east, north = [float(v) for v in text.split(",")]
    except ValueError:
        raise Bad("--box %s: expected four numbers: lon0,lat0,lon1,lat1" % text)
    if not (-180 <= west < east <= 180 and -85 <= south < north <= 85):
        raise Bad("--box %s: expected west,south,east,north in degrees, with west < east and "
                  "south < north" % text)
    return west, south, east, north


def extract_box(text):
    """The box in the header of an extract, as osmium prints it; None if there is not just one."""
    try:
        return parse_box(text.strip().strip("()"))
    except Bad:
        return None


def buildings_box(objects, margin=50.0):
    """The extent of the buildings plus a margin; of everything if there are no buildings."""
    found = [o.geometry.bounds for o in objects if is_building(o)]
    found = found or [o.geometry.bounds for o in objects
                      if (o.is_area or o.is_line) and not label_kind(o)]
    if not found:
        raise Bad("no obstacles found: no buildings, no water, no coast")
    west, south = min(b[0] for b in found), min(b[1] for b in found)
    east, north = max(b[2] for b in found), max(b[3] for b in found)
    plane = Plane((west + east) / 2, (south + north) / 2)
    dx, dy = margin / plane.x_scale, margin / plane.y_scale
    return west - dx, south - dy, east + dx, north + dy


def cut_objects(objects, bbox, plane):
    """The objects that overlap the box, in metres. An error if there are none."""
    west, south, east, north = bbox
    kept = [o for o in objects if o.geometry.bounds[0] <= east and o.geometry.bounds[2] >= west and
            o.geometry.bounds[1] <= north and o.geometry.bounds[3] >= south]
    if not any(o.is_area or o.is_line for o in kept):
        all_of = [o.geometry.bounds for o in objects]
        raise Bad("the box %s is outside the data, which extend from %.5f,%.5f to %.5f,%.5f" % (
            ",".join("%g" % v for v in bbox), min(b[0] for b in all_of), min(b[1] for b in all_of),
            max(b[2] for b in all_of), max(b[3] for b in all_of)))
    for thing in kept:
        thing.geometry = plane.metres(thing.geometry)
    return kept


def make_buildings(objects, frame, options):
    """Merged buildings. Parts count only outside buildings; covered ways are cut out."""
    whole = unite(o.geometry for o in objects if is_building(o))
    parts = [o.geometry for o in objects if o.is_area and not o.tag("building") and
             is_building(o, "building:part")]
    parts = [p for p in parts if whole.intersection(make_valid(p)).area < 0.5 * p.area]
    solid = without_slits(unite([whole] + parts))
    if not options.no_passages:
        solid = solid.difference(unite(corridor(o) for o in objects if is_passage(o)))
    return clean(solid.intersection(frame), options.simplify)


def rivers(objects, water, frame):
    """Rivers and canals that are only lines, with their tagged width. Warns if there is none."""
    out, bare = [], 0.0
    for thing in objects:
        if not (thing.is_line and thing.tag("waterway") in ("river", "canal")) or is_hidden(thing):
            continue
        dry = thing.geometry.intersection(frame).difference(water)
        if thing.number("width") > 0:
            out.append(thing.geometry.buffer(thing.number("width") / 2, 4, cap_style=2))
        elif dry.length > 20:
            bare += dry.length
    if bare:
        warn("%.0f m of rivers and canals are lines without banks or width in the data: "
             "left out, so people can walk through them" % bare)
    return unite(out).intersection(frame)


def make_waters(objects, frame, plane, options):
    """The sea and the inland water, both without bridges and without piers that start on land."""
    coast = [o.geometry for o in objects if o.is_line and o.tag("natural") == "coastline"]
    sea = close_sea(coast, frame, plane)
    water = unite(o.geometry for o in objects if is_water(o)).intersection(frame)
    water = unite([water, rivers(objects, unite([sea, water]), frame)])
    if not options.no_bridges:
        bridges = unite(corridor(o) for o in objects if is_bridge(o))
        sea, water = sea.difference(bridges), water.difference(bridges)
    if not options.no_piers:
        wet = unite([sea, water])
        piers = pier_ground([o for o in objects if is_pier(o)], wet, frame)
        sea, water = sea.difference(piers), water.difference(piers)
    return clean(sea, options.simplify), clean(water.difference(sea), options.simplify)


def make_layers(objects, frame, plane, options):
    """All obstacles, by kind."""
    layers = {"building": make_buildings(objects, frame, options)}
    layers["sea"], layers["water"] = make_waters(objects, frame, plane, options)
    if options.barriers:
        layers["barrier"] = clean(barrier_ground(
            [o for o in objects if is_barrier(o) and (o.is_line or o.is_area)],
            [o for o in objects if is_way(o)],
            [o for o in objects if o.geometry.geom_type == "Point" and
             (o.tag("barrier") in OPENINGS or o.tag("entrance"))]).intersection(frame), 0)
    return layers


def report(layers, free, locked, frame, kept_free):
    width, height = frame.bounds[2] - frame.bounds[0], frame.bounds[3] - frame.bounds[1]
    print("box        %.0f x %.0f m, %.3f km2" % (width, height, width * height / 1e6))
    for kind, geometry in layers.items():
        cut = polygons(geometry.intersection(frame))
        corners = sum(len(p.exterior.coords) - 1 + sum(len(r.coords) - 1 for r in p.interiors)
                      for p in cut)
        print("%-10s %d polygons, %d walls, %.3f km2" % (
            kind, len(cut), corners, sum(p.area for p in cut) / 1e6))
    area, shut = free.intersection(frame).area, locked.intersection(frame).intersection(free).area
    print("free       %.3f km2, of which %.4f km2 (%.2f %%) cannot be reached from the border: %s"
          % (area / 1e6, shut / 1e6, 100 * shut / max(area, 1.0),
             "left free" if kept_free else "filled as \"locked\""))


def kind_at(layers, frame, point):
    if not frame.intersects(point):
        return "outside the box"
    return next((k for k, g in layers.items() if g.intersects(point)), "free")


def report_points(points, layers, frame, plane):
    for text in points:
        try:
            lon, lat = [float(v) for v in text.split(",")]
        except ValueError:
            raise Bad("--point %s: expected two numbers: lon,lat" % text)
        print("point      %s: %s" % (
            text, kind_at(layers, frame, plane.metres(Point(lon, lat)))))


def convert(options):
    objects = read_objects(options.objects)
    bbox = parse_box(options.box) if options.box else (
        None if options.mapped else extract_box(options.extract_box)) or buildings_box(objects)
    plane = Plane((bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2)
    objects = cut_objects(objects, bbox, plane)
    inner = plane.metres(box(*bbox))
    frame = inner.buffer(MARGIN, join_style=2)
    layers = make_layers(objects, frame, plane, options)
    if not any(polygons(g.intersection(inner)) for g in layers.values()):
        raise Bad("no obstacles found in the box: no buildings, no water, no sea")
    free, locked = locked_ground(unite(layers.values()), frame, options.clearance)
    if not options.keep_locked:
        layers["locked"] = locked
    content = obstacle_features(layers, inner, plane)
    if options.mapped:
        content += area_features(layers, inner, plane)
        bbox = bbox if options.box else bounds_of(content)   # the world ends where people leave
    if not options.no_streets:
        drawn = plane.metres(box(*bbox))
        content += [*street_features(objects, drawn, plane), *label_features(objects, drawn, plane)]
    write_geojson(options.output, content, bbox,
                  options.source or os.path.basename(options.input_name))
    report(layers, free, locked, inner, options.keep_locked)
    report_points(options.point, layers, inner, plane)
    print("written    %s, %d bytes" % (options.output, os.path.getsize(options.output)))


def parse_options(arguments):
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            raise Bad(message + " (--help lists the options)")

    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("objects")
    parser.add_argument("output")
    parser.add_argument("--input-name", default="")
    parser.add_argument("--extract-box", default="")
    for name in ("--box", "--source"):
        parser.add_argument(name)
    for name in ("--barriers", "--no-passages", "--no-bridges", "--no-piers", "--keep-locked",
                 "--mapped", "--no-streets"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--clearance", type=float, default=0.5)
    parser.add_argument("--simplify", type=float, default=0.1)
    parser.add_argument("--point", action="append", default=[])
    options = parser.parse_args(arguments)
    if not 0.05 <= options.clearance <= 5:
        raise Bad("--clearance %g: expected 0.05 to 5 m" % options.clearance)
    if not 0 <= options.simplify <= 5:
        raise Bad("--simplify %g: expected 0 to 5 m" % options.simplify)
    return options


def main():
    try:
        convert(parse_options(sys.argv[1:]))
    except Bad as error:
        print("osm2geojson: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
