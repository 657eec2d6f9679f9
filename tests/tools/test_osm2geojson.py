#!/usr/bin/env python3
"""What does tools/osm2geojson.sh make of buildings, water, barriers, streets and names, and of
wrong words? test_osm2geojson.py TOOL [CASE ...]"""
import json
import os
import tempfile

from osm_maps import BOX, METRE, Map, backdrop, convert, expect, main, obstacles, run, signed_area


def test_what_stands_in_the_way():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.square(200, 100, 20, building="roof")
    town.square(300, 100, 20, building="yes", location="underground")
    town.square(400, 100, 20, building="yes", building__min_level="1")
    town.square(500, 100, 20, building__part="yes")
    town.square(600, 100, 20, leisure="swimming_pool")
    town.square(700, 100, 20, leisure="swimming_pool", location="roof")
    town.square(800, 100, 20, building="yes", layer="-1")
    town.square(900, 100, 0.5, building="yes")
    town.way([(100, 300), (900, 300)], waterway="canal", width="10 m")
    expect(town, {(110, 110): "building", (210, 110): "free", (310, 110): "free",
                  (410, 110): "free", (510, 110): "building", (610, 110): "water",
                  (710, 110): "free", (810, 110): "free", (900.2, 100.2): "free",
                  (500, 304): "water", (500, 310): "free"})


def test_river_without_banks_is_told():
    town = Map()
    town.way([(100, 300), (900, 300)], waterway="river")
    town.square(100, 100, 20, building="yes")
    expect(town, {(500, 300): "free"}, warning="without banks or width")


def test_courtyard_passage_and_lock():
    town = Map()
    outer = town.square(100, 100, 100)
    inner = town.square(130, 130, 40)
    town.multipolygon([("outer", outer), ("inner", inner)], building="yes")
    at = {(110, 110): "building", (150, 150): "locked", (50, 50): "free"}
    expect(town, at)
    at[(150, 150)] = "free"
    expect(town, at, "--keep-locked")
    town.way([(90, 150), (140, 150)], highway="footway", tunnel="building_passage")
    at[(115, 150)] = "free"
    expect(town, at)
    at.update({(150, 150): "locked", (115, 150): "building"})
    expect(town, at, "--no-passages")


def test_terraces_become_one():
    town = Map()
    for x in (100, 110, 120.1):                                 # the last one a slit apart
        town.way([(x, 100), (x + 10, 100), (x + 10, 120), (x, 120), (x, 100)], building="house")
    output = expect(town, {(105, 110): "building", (120.05, 110): "building"})
    assert len(output["features"]) == 1, len(output["features"])


def test_barriers_open_at_ways_and_gates():
    town = Map()
    town.way([(100, 100), (900, 100)], barrier="wall")
    town.way([(300, 50), (300, 150)], highway="footway")
    town.node(600, 100, barrier="gate")
    town.square(100, 500, 20, building="yes")
    at = {(200, 100): "barrier", (300, 100): "free", (600, 100): "free", (700, 100): "barrier"}
    expect(town, at, "--barriers")
    expect(town, {point: "free" for point in at})


def test_mapped_ground_and_its_rim():
    town = Map()
    town.way([(-50, 300), (1050, 300)], natural="coastline")
    for x in range(200, 800, 60):
        for y in range(320, 700, 60):
            town.square(x, y, 30, building="yes")
    kinds, _, output = convert(town, [(500, 900)], "--mapped")
    assert kinds == ["free"], kinds
    areas = {f["properties"]["name"]: f["geometry"]["coordinates"][0]
             for f in output["features"] if f["properties"]["throng"] == "area"}
    assert sorted(areas) == ["mapped", "rim"], areas
    assert signed_area(areas["mapped"]) > 0.25e6 * METRE ** 2
    assert 710 < max(y for _, y in areas["mapped"]) / METRE < 750
    assert min(y for _, y in areas["rim"]) / METRE > 299
    assert output["bbox"] == [0, 0, 0.01, 0.01], "the box that was asked for"


def test_head_of_the_output():
    town = Map()
    town.square(100, 100, 20, building="yes")
    output = expect(town, {}, "--source", "made here")
    assert "OpenStreetMap contributors, ODbL 1.0" in output["attribution"]
    assert output["source"] == "made here" and output["bbox"] == [0, 0, 0.01, 0.01]


def test_streets_are_clipped_and_joined():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.way([(-50, 500), (300, 500)], highway="residential", name="Rue \"A\"")
    town.way([(300, 500), (600, 500.2), (900, 500)], highway="residential", name="Rue \"A\"")
    town.way([(200, 300), (400, 300)], highway="footway")
    town.way([(200, 200), (400, 200)], highway="primary", tunnel="yes", name="below")
    town.way([(200, 100), (200, 200)], highway="proposed", name="never")
    _, _, output = convert(town, [])
    assert backdrop(output, "street") == {
        ("residential", "Rue \"A\""): [[[0, 500], [900, 500]]],
        ("footway", None): [[[200, 300], [400, 300]]]}, backdrop(output, "street")
    _, _, without = convert(town, [], "--no-streets")
    assert without["features"] == obstacles(output)


def test_tracks_are_drawn_and_no_obstacles():
    town = Map()
    town.square(100, 100, 20, building="yes")
    _, _, without = convert(town, [])
    town.way([(0, 300), (500, 300)], railway="rail", name="Main line", service="siding")
    town.way([(500, 300), (1500, 300)], railway="rail", name="Main line", bridge="yes")
    ring = [(600, 600), (700, 600), (700, 700), (600, 700), (600, 600)]
    town.way(ring, railway="tram")
    town.way([(200, 400), (400, 400)], railway="tram", highway="pedestrian")
    town.way([(200, 200), (400, 200)], railway="rail", tunnel="yes")
    town.way([(200, 250), (400, 250)], railway="subway", layer="-2")
    town.way([(200, 280), (400, 280)], railway="abandoned")
    found, _, output = convert(town, [(250, 300), (650, 650), (650, 600)])
    assert found == ["free"] * 3 and obstacles(output) == obstacles(without), found
    streets = backdrop(output, "street")
    assert set(streets) == {("rail", None), ("tram", None), ("pedestrian", None)}, streets
    assert streets["rail", None] == [[[0, 300], [1000, 300]]], streets
    assert sorted(map(len, streets["tram", None])) == [2, 5], streets


def test_names_of_places():
    town = Map()
    town.square(100, 100, 20, building="yes")
    town.node(300, 300, place="suburb", name="Łódź")
    town.square(500, 500, 100, place="square", name="Place")
    town.node(510, 510, place="square", name="Place")         # the node counts
    town.square(800, 800, 400, leisure="park", name="Park")   # half of it is outside
    town.node(2000, 300, railway="station", name="far away")
    town.node(700, 300, railway="station")                    # without a name
    _, _, output = convert(town, [])
    found = backdrop(output, "label")
    x, y = found.pop(("park", "Park"))
    assert 800 < x < 1000 and 800 < y < 1000, (x, y)
    assert found == {("suburb", "Łódź"): [300, 300], ("square", "Place"): [510, 510]}, found


def test_box_of_the_extract():
    """Without --box the world is that of the file's header: no street is cut before it ends."""
    def world(bounds, *options):
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "in.osm"), os.path.join(folder, "out.geojson")
            with open(source, "w", encoding="utf-8") as stream:
                stream.write(town.xml().replace("<node", bounds + "<node", 1))
            done = run(source, target, *options)
            assert done.returncode == 0, done.stderr
            with open(target, encoding="utf-8") as stream:
                output = json.load(stream)
        return output["bbox"], backdrop(output, "street").get(("residential", "Long Street"))

    town = Map()
    town.square(400, 400, 20, building="yes")
    town.way([(0, 430), (1000, 430)], highway="residential", name="Long Street")
    header = '<bounds minlat="0.001" minlon="0.002" maxlat="0.009" maxlon="0.008"/>'
    box, street = world(header)
    assert box == [0.002, 0.001, 0.008, 0.009] and street == [[[200, 430], [800, 430]]], street
    around, short = world("")  # 50 m around the building
    assert 0.0035 < around[0] < 0.0036 and 0.0046 < around[2] < 0.0047, around
    assert street[0][0][0] < short[0][0][0] and short[0][1][0] < street[0][1][0], short
    assert world(header, "--box", BOX)[0] == [0, 0, 0.01, 0.01]
    two = header + '<bounds minlat="0" minlon="0" maxlat="0.001" maxlon="0.001"/>'
    assert world(two)[0] in (around, box), "osmium may keep one of two"
    nonsense = header.replace('maxlat="0.009"', 'maxlat="0.001"')
    assert world(nonsense)[0] == around
    assert world(header, "--mapped")[0] == world("", "--mapped")[0]


def expect_error(wanted, *arguments, **environment):
    done = run(*arguments, **environment)
    assert done.returncode == 1, (wanted, done.returncode, done.stderr)
    assert wanted in done.stderr and "Traceback" not in done.stderr, (wanted, done.stderr)


def test_errors():
    with tempfile.TemporaryDirectory() as folder:
        good, bad, empty, out = [os.path.join(folder, n) for n in
                                 ("good.osm", "bad.osm", "empty.osm", "out.geojson")]
        town = Map()
        town.square(100, 100, 20, building="yes")
        for path, text in ((good, town.xml()), (bad, town.xml()[:300]), (empty, Map().xml())):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        expect_error("usage:", good)
        expect_error("no such file", os.path.join(folder, "none.osm"), out)
        expect_error("osmium cannot read it", bad, out)
        expect_error("no obstacles found", empty, out)
        expect_error("is outside the data", good, out, "--box", "5,5,5.01,5.01")
        expect_error("expected four numbers", good, out, "--box", "5,5,6")
        expect_error("west < east", good, out, "--box", "1,0,0,1")
        expect_error("expected two numbers", good, out, "--point", "north")
        expect_error("unrecognized arguments: --barrier", good, out, "--barrier")
        expect_error("--clearance 50", good, out, "--clearance", "50")
        expect_error("No such file or directory", good, os.path.join(folder, "none", "out"))
        expect_error("osmium is missing; install it: apt-get install osmium-tool", good, out,
                     PATH=folder)


if __name__ == "__main__":
    main(globals())
