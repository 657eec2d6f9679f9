#!/usr/bin/python3
"""Converts layers of a CAD drawing (DXF) to a map: GeoJSON in metres.

    tools/dxf2geojson.py PLAN.dxf --list              the layers of the drawing, and what is on them
    tools/dxf2geojson.py PLAN.dxf MAP.geojson --obstacles WALLS --walls 'A-GLAZ*' --places EXITS

Every layer has a role: obstacles are solid inside closed outlines and are walls along open lines;
walls are walls along all lines, so that the inside of a closed outline stays free; walkable ground
and places are what they say. Places are named like their layer, or after a text inside. Blocks,
hatches, arcs, ellipses, splines and bulges are dissolved into straight lines.
"""
import argparse
import collections
import difflib
import fnmatch
import json
import math
import os
import sys

try:
    import ezdxf
    from ezdxf import path as dxf_path
    from ezdxf import recover, units
    from ezdxf.enums import InsertUnits
except ImportError:
    sys.exit("dxf2geojson: Python's ezdxf is missing; install it: apt-get install python3-ezdxf "
             "(elsewhere: pip install ezdxf), then run this tool with that Python")

UNITS = {"mm": InsertUnits.Millimeters, "cm": InsertUnits.Centimeters, "m": InsertUnits.Meters,
         "km": InsertUnits.Kilometers, "in": InsertUnits.Inches, "ft": InsertUnits.Feet}
ROLES = ("obstacles", "walls", "walkable", "places")
THRONG = {"obstacles": "obstacle", "walls": "obstacle", "walkable": "walkable", "places": "place"}
TEXTS = ("TEXT", "MTEXT", "ATTRIB")
SILENT = TEXTS + ("ATTDEF", "DIMENSION", "LEADER", "MULTILEADER", "VIEWPORT", "IMAGE", "TOLERANCE")
DIGITS = 4       # of a metre
AREA_MIN = 1e-4  # m^2; smaller outlines are dropped
SIZE_MIN = 3     # m; where people walk is larger: a smaller map has a wrong unit
DEPTH_MAX = 32   # blocks within blocks


class Error(Exception):
    """What the user can correct, in one line."""


def drawing_read(name):
    """The drawing of a file; damaged ones are repaired where ezdxf can."""
    try:
        with open(name, "rb") as file:
            head = file.read(32)
    except OSError as error:
        raise Error(f"{name}: {error.strerror}") from error
    if head[:4] == b"AC10":
        raise Error(f"{name}: this is DWG; save it as DXF in the CAD program, or convert it with "
                    "LibreDWG's dwg2dxf or the ODA File Converter")
    try:
        return ezdxf.readfile(name)
    except (ezdxf.DXFError, OSError, ValueError, KeyError, IndexError, AttributeError):
        pass
    try:
        drawing, audit = recover.readfile(name)
    except (ezdxf.DXFError, OSError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise Error(f"{name}: not a DXF file that can be read: {error or 'it is damaged'}"
                    ) from error
    warn(f"{name}: the file is damaged; ezdxf repaired it ({len(audit.fixes)} faults, "
         f"{len(audit.errors)} left): look at the result")
    return drawing


def warn(text):
    """A message that is no error."""
    print(f"dxf2geojson: warning: {text}", file=sys.stderr)


def unit_of(drawing, wanted):
    """Metres per unit, and the name of the unit."""
    if wanted:
        code = UNITS[wanted]
    else:
        number = drawing.header.get("$INSUNITS", 0)
        if number == 0:
            return None, "not given ($INSUNITS is 0)"
        try:
            code = InsertUnits(number)
            units.conversion_factor(code, InsertUnits.Meters)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise Error(f"$INSUNITS is {number}, which is no unit of length: --units says which "
                        "one is meant") from error
    return (units.conversion_factor(code, InsertUnits.Meters),
            wanted or f"{code.name.lower()} ($INSUNITS {code.value})")


def layer_of(entity):
    """The layer that an entity names; some have none."""
    try:
        return entity.dxf.get("layer", "0")
    except ezdxf.DXFError:
        return "0"


def is_lost(insert):
    """Is its block in another file, or nowhere?"""
    try:
        return insert.block() is None
    except (ezdxf.DXFError, AttributeError):  # it has no name
        return True


def flat(entities, layer=None, depth=0):
    """(entity, layer) of all entities; blocks are dissolved, their layer 0 is that of the insert."""
    for entity in entities:
        own = layer_of(entity)
        mine = layer if layer is not None and own == "0" else own
        if entity.dxftype() != "INSERT":
            yield entity, mine
        elif depth >= DEPTH_MAX or is_lost(entity):
            yield entity, mine
        else:
            for attribute in entity.attribs:
                yield attribute, layer_of(attribute)
            for single in entity.multi_insert() if entity.mcount > 1 else (entity,):
                yield from flat(single.virtual_entities(), mine, depth + 1)


def outlines_of(entity, distance):
    """Lists of (x, y) of an entity in drawing units, each with whether it is closed; [] for none."""
    kind = entity.dxftype()
    if kind in ("HATCH", "MPOLYGON"):
        return [(points, True) for points in
                (vertices(p, distance) for p in dxf_path.from_hatch(entity)) if points]
    if kind == "POINT":
        at = entity.dxf.location
        return [([(at.x, at.y)], False)]
    if kind in ("MLINE", "ACAD_TABLE"):
        return [o for e in entity.virtual_entities() for o in outlines_of(e, distance)]
    made = dxf_path.make_path(entity)
    points = vertices(made, distance)
    closed = kind in ("CIRCLE", "SOLID", "TRACE", "3DFACE") or bool(
        getattr(entity, "closed", False) or getattr(entity, "is_closed", False))
    if len(points) > 2 and made.is_closed:
        closed = True
    return [(points, closed)] if points else []


def vertices(path, distance):
    """Points (x, y) along a path, at most this far from it."""
    return [(p.x, p.y) for p in path.flattening(distance, segments=4)] if len(path) else []


def text_of(entity):
    """What a text says, and where: ((x, y), words)."""
    words = entity.plain_text() if hasattr(entity, "plain_text") else entity.dxf.text
    at = entity.dxf.insert
    return (at.x, at.y), " ".join(words.split())


class Layer:
    """The shapes of a layer, in metres."""

    def __init__(self):
        self.rings, self.groups, self.lines, self.points = [], [], [], []
        self.dropped = 0


def cleaned(points, scale, origin):
    """Points in metres without repetitions."""
    made = [(round(x * scale - origin[0], DIGITS), round(y * scale - origin[1], DIGITS))
            for x, y in points]
    return [p for i, p in enumerate(made) if i == 0 or p != made[i - 1]]


def shoelace(ring):
    """The area of a ring without its repeated point, m^2; above 0 if counter-clockwise."""
    x0, y0 = ring[0]
    return sum((a[0] - x0) * (b[1] - y0) - (b[0] - x0) * (a[1] - y0)
               for a, b in zip(ring, ring[1:] + ring[:1])) / 2


def layers_read(drawing, roles, scale, origin, distance):
    """Layers by name, texts by place, and how many entities of each type were left out."""
    layers = collections.defaultdict(Layer)
    texts, left = [], collections.Counter()
    for entity, layer in flat(drawing.modelspace()):
        kind = entity.dxftype()
        if kind in TEXTS:
            at, words = text_of(entity)
            texts.append((cleaned([at], scale, origin)[0], words))
        if layer not in roles:
            continue
        try:
            outlines = outlines_of(entity, distance / scale)
        except (TypeError, ValueError, ezdxf.DXFError, ZeroDivisionError):
            outlines = []
        if not outlines and kind not in SILENT:
            left[kind] += 1
        shapes_add(layers[layer], [(cleaned(points, scale, origin), closed)
                                   for points, closed in outlines], kind in ("HATCH", "MPOLYGON"))
    return layers, texts, left


def shapes_add(layer, outlines, together):
    """Sorts outlines; those of a hatch belong together."""
    group = []
    for points, closed in outlines:
        if not all(math.isfinite(v) for p in points for v in p):
            layer.dropped += 1
        elif len(points) == 1:
            layer.points += points
        elif closed:
            ring = points[:-1] if points[0] == points[-1] else points
            if len(ring) < 3 or abs(shoelace(ring)) < AREA_MIN:
                layer.dropped += 1
            else:
                group.append(ring)
        elif points:
            layer.lines.append(points)
    if together:
        layer.groups.append(group)
    else:
        layer.rings += group


def joined(lines, gap):
    """Lines whose ends meet, as longer lines: (rings, lines). Where three meet, they end."""
    def end(point):
        return round(point[0] / gap), round(point[1] / gap)

    ends = collections.defaultdict(list)
    for i, line in enumerate(lines):
        ends[end(line[0])].append(i)
        ends[end(line[-1])].append(i)
    used, rings, rest = set(), [], []
    for i, line in enumerate(lines):
        if i in used:
            continue
        used.add(i)
        chain = list(line)
        for _ in range(2):  # forwards, then backwards
            while end(chain[0]) != end(chain[-1]):
                near = [k for k in ends[end(chain[-1])] if k not in used]
                if len(near) != 1 or len(ends[end(chain[-1])]) != 2:
                    break
                used.add(near[0])
                more = lines[near[0]]
                chain += (more if end(more[0]) == end(chain[-1]) else more[::-1])[1:]
            chain.reverse()
        closed = len(chain) > 3 and end(chain[0]) == end(chain[-1])
        (rings if closed else rest).append(chain[:-1] if closed else chain)
    return rings, rest


def holds(ring, point):
    """Is the point inside the ring?"""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            inside = not inside
    return inside


def box(ring):
    """Corners of the bounding box."""
    return (min(x for x, _ in ring), min(y for _, y in ring),
            max(x for x, _ in ring), max(y for _, y in ring))


def within(inner, outer):
    """Does a ring lie within another one? Each comes with its box."""
    (a, (ax0, ay0, ax1, ay1)), (b, (bx0, by0, bx1, by1)) = inner, outer
    if ax0 < bx0 or ay0 < by0 or ax1 > bx1 or ay1 > by1:
        return False
    return all(holds(b, p) for p in a if p not in b)


def polygons_of(rings):
    """Polygons as lists of rings: a ring within another one is a hole in it, and so on inwards."""
    once = {}
    for ring in rings:
        once.setdefault(frozenset(ring), ring)
    boxed = sorted(((r, box(r)) for r in once.values()), key=lambda b: -abs(shoelace(b[0])))
    polygons, parents = {}, []
    for i, inner in enumerate(boxed):
        around = [k for k in range(i) if within(inner, boxed[k])]
        parents.append(around[-1] if around else None)
        if len(around) % 2 == 0:
            polygons[i] = [inner[0]]
        else:
            polygons.get(around[-1], []).append(inner[0])
    return list(polygons.values())


def closed_ring(ring, positive):
    """A ring of GeoJSON: outer ones run counter-clockwise, and the first point comes again."""
    ring = ring if (shoelace(ring) > 0) == positive else ring[::-1]
    return ring + ring[:1]


def geometries_of(layer, role, options):
    """GeoJSON geometries of a layer."""
    rings, groups, lines = layer.rings, layer.groups, layer.lines
    if options.join is not None:
        more, lines = joined(lines, options.join)
        rings = rings + more
    polygons = [p for group in groups for p in polygons_of(group)]
    polygons += [[r] for r in rings] if options.fill else polygons_of(rings)
    if role == "walls":
        lines = lines + [ring + ring[:1] for polygon in polygons for ring in polygon]
        polygons = []
    made = [{"type": "Polygon", "coordinates": [closed_ring(ring, i == 0)
                                                for i, ring in enumerate(polygon)]}
            for polygon in polygons]
    if role != "walkable":
        made += [{"type": "LineString", "coordinates": line} for line in lines]
    elif lines:
        warn(f"{len(lines)} open lines are left out of the walkable ground"
             + ("" if options.join is not None else "; --join closes outlines made of lines"))
    if role == "places":
        made += [{"type": "Point", "coordinates": point} for point in layer.points]
    return made


def name_of(geometry, layer, texts):
    """The text inside a polygon, else the name of the layer."""
    if geometry["type"] == "Polygon":
        found = [words for at, words in texts if words and holds(geometry["coordinates"][0], at)]
        if len(found) == 1:
            return found[0]
    return layer


def features_of(layers, roles, texts, options):
    """Features of all layers, and a line for each layer about them."""
    features = []
    for layer in sorted(layers):
        role, counts = roles[layer], collections.Counter()
        for geometry in geometries_of(layers[layer], role, options):
            properties = {"throng": THRONG[role], "layer": layer}
            if role == "places":
                properties["name"] = name_of(geometry, layer, texts)
            features.append({"type": "Feature", "properties": properties, "geometry": geometry})
            counts[geometry["type"]] += 1
        words = ", ".join(f"{counts[kind]} {word}" for kind, word in
                          (("Polygon", "polygons"), ("LineString", "lines"), ("Point", "points"))
                          if counts[kind])
        print(f"{role:<10} {layer}: {words or 'nothing'}"
              + (f"; {layers[layer].dropped} without area dropped" if layers[layer].dropped else ""))
    return features


def positions(coordinates):
    """All [x, y] of GeoJSON coordinates."""
    if not isinstance(coordinates[0], (list, tuple)):
        yield coordinates
        return
    for part in coordinates:
        yield from positions(part)


def chosen(drawing, options):
    """Roles by layer. Patterns are as in a shell; without case, as in CAD."""
    known = sorted({layer for _, layer in flat(drawing.modelspace())})
    roles = {}
    for role in ROLES:
        for pattern in (p for given in getattr(options, role) for p in given.split(",")):
            found = [n for n in known if fnmatch.fnmatchcase(n.lower(), pattern.strip().lower())]
            if not found:
                close = difflib.get_close_matches(pattern.lower(), [n.lower() for n in known], 1)
                hint = next((f"; did you mean {n}?" for n in known if [n.lower()] == close), "")
                raise Error(f"--{role} {pattern}: there is nothing on such a layer{hint} "
                            "(--list shows all)")
            for name in found:
                if roles.setdefault(name, role) != role:
                    raise Error(f"--{role} {pattern}: the layer {name} is among the "
                                f"{roles[name]}, too")
    return roles


def write_whole(name, text):
    """A file that has its name when it is complete; nothing is left of one that fails. A device, a
    pipe or a standard stream is written as it is."""
    if os.path.islink(name) or not os.path.isfile(name) and os.path.exists(name):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return
    begun = f"{name}.tmp"
    try:
        with open(begun, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(begun, name)
    finally:
        if os.path.exists(begun):
            os.remove(begun)


def convert(drawing, options):
    """Writes the map."""
    roles = chosen(drawing, options)
    if not roles:
        raise Error("no layers are chosen: --obstacles, --walls, --walkable or --places names "
                    "them, and --list shows all")
    scale, unit = unit_of(drawing, options.units)
    if scale is None:
        raise Error("the drawing does not say its unit ($INSUNITS is 0): --units mm, cm, m, km, "
                    "in or ft")
    print(f"unit       {unit}: {scale:g} m")
    layers, texts, left = layers_read(drawing, roles, scale, options.origin, options.flatten)
    features = features_of(layers, roles, texts, options)
    if left:
        print("left out   " + ", ".join(f"{n} {kind}" for kind, n in sorted(left.items())))
    if not features:
        raise Error(f"nothing on these layers can be drawn with the unit {unit}: no file is "
                    "written; --units says which unit is meant")
    points = [p for f in features for p in positions(f["geometry"]["coordinates"])]
    low, high = [[end(axis) for axis in zip(*points)] for end in (min, max)]
    print(f"extent     ({low[0]:g}, {low[1]:g}) to ({high[0]:g}, {high[1]:g}) m")
    head = {"type": "FeatureCollection", "throng:projection": "metres",
            "source": options.source or os.path.basename(options.drawing), "bbox": low + high}
    body = ",\n".join(json.dumps(f, ensure_ascii=False) for f in features)
    text = json.dumps(head, ensure_ascii=False)[:-1] + ', "features": [\n' + body + "\n]}\n"
    size = max(high[0] - low[0], high[1] - low[1])
    if size < SIZE_MIN and not options.units:
        raise Error(f"the map is {size:g} m wide, so the unit is wrong, {unit}: --units m, mm, cm, km, "
                    "in or ft says which one is meant; no file is written")
    write_whole(options.map, text)
    print(f"written    {options.map}, {len(text.encode())} bytes")
    if size > 20000:
        warn("the map is more than 20 km wide: is the unit right? --units")


def list_layers(drawing, options):
    """Prints the layers with what is on them."""
    scale, unit = unit_of(drawing, options.units)
    counts = collections.defaultdict(collections.Counter)
    low, high = [math.inf] * 2, [-math.inf] * 2
    for entity, layer in flat(drawing.modelspace()):
        counts[layer][entity.dxftype()] += 1
        try:
            outlines = outlines_of(entity, 1 if scale is None else 0.1 / scale)
        except (TypeError, ValueError, ezdxf.DXFError, ZeroDivisionError):
            continue
        counts[layer]["closed"] += sum(closed for _, closed in outlines)
        for points, _ in outlines:
            for point in points:
                low = [min(a, b) for a, b in zip(low, point)]
                high = [max(a, b) for a, b in zip(high, point)]
    print(f"unit       {unit}")
    if low[0] <= high[0]:
        factor, name = (scale, "m") if scale else (1, "units")
        print(f"extent     ({low[0] * factor:g}, {low[1] * factor:g}) to "
              f"({high[0] * factor:g}, {high[1] * factor:g}) {name}")
    width = max([10] + [len(layer) for layer in counts])
    for layer in sorted(counts):
        kinds = counts[layer]
        closed = kinds.pop("closed", 0)
        words = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
        state = ""
        if drawing.layers.has_entry(layer):
            entry = drawing.layers.get(layer)
            state = " (frozen)" if entry.is_frozen() else " (off)" if entry.is_off() else ""
        print(f"{layer:<{width}} {words}; {closed} closed{state}")


def pair(text):
    """X,Y of an option."""
    numbers = [float(word) for word in text.split(",")]
    if len(numbers) != 2 or not all(map(math.isfinite, numbers)):
        raise ValueError
    return numbers


def length(text):
    """Metres above 0 of an option."""
    value = float(text)
    if not 0 < value < 1000:
        raise ValueError
    return value


def arguments():
    """The command line."""
    about = __doc__.replace("tools/dxf2geojson.py", os.path.basename(sys.argv[0]))
    parser = argparse.ArgumentParser(description=about,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drawing", metavar="PLAN.dxf")
    parser.add_argument("map", metavar="MAP.geojson", nargs="?")
    parser.add_argument("--list", action="store_true", help="print the layers and end")
    for role, text in zip(ROLES, ("solid inside closed outlines, walls along open lines",
                                  "walls along all lines", "walkable ground",
                                  "areas, lines and points to refer to")):
        parser.add_argument(f"--{role}", metavar="LAYER[,...]", action="append", default=[],
                            help=f"{text}; * and ? stand for letters")
    parser.add_argument("--units", choices=UNITS, help="of the drawing; default: its $INSUNITS")
    parser.add_argument("--origin", metavar="X,Y", type=pair, default=[0.0, 0.0],
                        help="m: this point becomes (0, 0)")
    parser.add_argument("--flatten", metavar="M", type=length, default=0.01,
                        help="how far lines may lie off a curve (0.01 m)")
    parser.add_argument("--join", metavar="M", type=length, nargs="?", const=0.001,
                        help="lines whose ends are this close (0.001 m) are one line, and closed "
                        "if they come back to their start")
    parser.add_argument("--fill", action="store_true",
                        help="fill outlines within outlines, instead of leaving holes there")
    parser.add_argument("--source", metavar="TEXT", help="origin of the drawing, for the map")
    options = parser.parse_args()
    if not options.list and not options.map:
        parser.error("MAP.geojson, the file to write, or --list is expected")
    return options


def main():
    """Lists or converts; an error is one line."""
    options = arguments()
    try:
        drawing = drawing_read(options.drawing)
        (list_layers if options.list else convert)(drawing, options)
    except Error as error:
        print(f"dxf2geojson: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"dxf2geojson: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
