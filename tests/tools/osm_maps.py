"""What the tests of tools/osm2geojson.sh share: small maps made here, and what the tool finds on
them. Needs nothing but Python."""
import json
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

METRE = 1e-5               # degrees: 1.11 m of latitude, and of longitude at the equator
BOX = "0,0,0.01,0.01"      # 1.11 km square, in which the maps lie
TOOL = sys.argv[1] if len(sys.argv) > 1 else ""


class Map:
    """A small OpenStreetMap file: nodes on a plane of 0..1000 units, ways and relations."""

    def __init__(self):
        self.nodes, self.ways, self.relations = [], [], []
        self.missing = set()  # nodes that ways name and the file does not have

    def node(self, x, y, **tags):
        self.nodes.append((x, y, tags))
        return len(self.nodes)

    def way(self, corners, **tags):
        """A way through these corners; the first one repeated last closes it."""
        ids = [self.node(x, y) for x, y in corners]
        if len(corners) > 3 and corners[0] == corners[-1]:
            ids[-1] = ids[0]
        self.ways.append((ids, tags))
        return len(self.ways)

    def square(self, x, y, size, **tags):
        return self.way([(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)],
                        **tags)

    def multipolygon(self, members, **tags):
        """members: (role, way)"""
        self.relations.append((members, dict(tags, type="multipolygon")))

    def lose(self, *corners):
        """Leaves these nodes out of the file, as an extract does with those outside its box."""
        self.missing |= {i for i, (x, y, _) in enumerate(self.nodes, 1) if (x, y) in corners}

    def xml(self):
        meta = 'version="1" timestamp="2020-01-01T00:00:00Z"'
        out = ['<?xml version="1.0"?><osm version="0.6">']
        for i, (x, y, tags) in enumerate(self.nodes, 1):
            if i in self.missing:
                continue
            out.append('<node id="%d" lon="%.7f" lat="%.7f" %s>%s</node>' % (
                i, x * METRE, y * METRE, meta, xml_tags(tags)))
        for i, (ids, tags) in enumerate(self.ways, 1):
            refs = "".join('<nd ref="%d"/>' % r for r in ids)
            out.append('<way id="%d" %s>%s%s</way>' % (i, meta, refs, xml_tags(tags)))
        for i, (members, tags) in enumerate(self.relations, 1):
            refs = "".join('<member type="way" ref="%d" role="%s"/>' % (way, role)
                           for role, way in members)
            out.append('<relation id="%d" %s>%s%s</relation>' % (i, meta, refs, xml_tags(tags)))
        return "\n".join(out + ["</osm>\n"])


def xml_tags(tags):
    return "".join('<tag k="%s" v=%s/>' % (k.replace("__", ":"), quoteattr(v))
                   for k, v in tags.items())


def run(*arguments, **environment):
    done = subprocess.run(["/bin/sh", TOOL, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          env=dict(os.environ, **environment))
    if " is missing; install it" in done.stderr and not environment:
        print("SKIPPED:", done.stderr.strip())
        sys.exit(77)
    return done


def convert(town, points, *options):
    """Runs the tool on a map. Returns what it says lies at the points, its warnings, its file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.osm"), os.path.join(folder, "out.geojson")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(town.xml())
        wanted = [a for x, y in points for a in ("--point", "%.7f,%.7f" % (x * METRE, y * METRE))]
        done = run(source, target, "--box", BOX, *wanted, *options)
        assert done.returncode == 0, done.stderr
        with open(target, encoding="utf-8") as stream:
            output = json.load(stream)
    kinds = [line.split(": ")[1] for line in done.stdout.splitlines()
             if line.startswith("point")]
    return kinds, done.stderr, output


def expect(town, at, *options, warning=None):
    """at: {(x, y): kind}. The tool must find these kinds, and warn only of what is expected."""
    kinds, warnings, output = convert(town, list(at), *options)
    for (point, wanted), found in zip(at.items(), kinds):
        assert found == wanted, "at %s: %s instead of %s" % (point, found, wanted)
    assert (warning in warnings) if warning else not warnings, warnings
    output["features"] = obstacles(output)
    for f in output["features"]:
        check_feature(f)
    return output


def obstacles(output):
    return [f for f in output["features"] if f["properties"]["throng"] not in ("street", "label")]


def backdrop(output, role):
    """{(kind, name): coordinates in units} of streets or labels."""
    def units(part):
        return round(part / METRE, 3) if isinstance(part, float) else [units(p) for p in part]

    return {(f["properties"].get("kind"), f["properties"].get("name")):
            units(f["geometry"]["coordinates"])
            for f in output["features"] if f["properties"]["throng"] == role}


def check_feature(f):
    assert f["properties"]["throng"] == "obstacle", f
    assert f["geometry"]["type"] == "Polygon", f
    for i, ring in enumerate(f["geometry"]["coordinates"]):
        assert len(ring) >= 4 and ring[0] == ring[-1], ring
        assert all(round(v, 7) == v for corner in ring for v in corner), ring
        assert (signed_area(ring) > 0) == (i == 0), "a ring turns the wrong way"


def signed_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])) / 2


def outer_area(output, kind):
    """Square units of the outer rings of a kind."""
    return sum(signed_area(f["geometry"]["coordinates"][0]) for f in output["features"]
               if f["properties"]["kind"] == kind) / METRE ** 2


def main(names):
    """Calls the functions test_*, or those that the command line names; exits with 1 if one fails,
    and with 77 (skipped) when the tool says that osmium or shapely is missing."""
    if not TOOL:
        sys.exit(f"usage: {sys.argv[0]} TOOL [CASE ...]")
    cases = {n: f for n, f in names.items() if n.startswith("test_") and callable(f)}
    failed = 0
    for name in sys.argv[2:] or cases:
        try:
            cases[name]()
            print("ok    ", name)
        except AssertionError as error:
            failed += 1
            print("FAILED", name, error)
    sys.exit(1 if failed else 0)
