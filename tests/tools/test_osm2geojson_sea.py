#!/usr/bin/env python3
"""Does tools/osm2geojson.sh know land from sea? test_osm2geojson_sea.py TOOL [CASE ...]"""
from osm_maps import Map, expect, main, outer_area


def test_land_is_on_the_left():
    town = Map()
    town.way([(-50, 400), (500, 450), (1050, 400)], natural="coastline")
    output = expect(town, {(500, 900): "free", (500, 100): "sea", (5, 5): "sea", (995, 5): "sea"})
    assert abs(outer_area(output, "sea") - 427274) < 500, outer_area(output, "sea")
    town = Map()
    town.way([(1050, 400), (500, 450), (-50, 400)], natural="coastline")
    expect(town, {(500, 900): "sea", (500, 100): "free"})


def test_coast_in_several_ways_and_round_a_corner():
    town = Map()
    town.way([(-50, 400), (300, 500)], natural="coastline")
    town.way([(300, 500), (600, 400)], natural="coastline")
    town.way([(600, 400), (700, -50)], natural="coastline")
    town.way([(900, -50), (1050, 300)], natural="coastline")
    expect(town, {(100, 100): "sea", (500, 100): "sea", (800, 100): "free", (500, 900): "free",
                  (980, 20): "sea"})


def test_island_and_lagoon():
    town = Map()
    town.way([(-50, 500), (1050, 500)], natural="coastline")
    town.square(300, 100, 200, natural="coastline")                         # anticlockwise: land
    town.way([(600, 700), (600, 900), (800, 900), (800, 700), (600, 700)], natural="coastline")
    at = {(100, 100): "sea", (400, 200): "free", (700, 800): "sea", (500, 800): "free"}
    expect(town, at, "--keep-locked")
    at[(400, 200)] = "locked"
    expect(town, at)


def test_island_in_open_sea():
    town = Map()
    town.square(300, 300, 200, natural="coastline")
    expect(town, {(400, 400): "free", (10, 10): "sea", (990, 990): "sea"}, "--keep-locked")


def test_coast_outside_the_box_changes_nothing():
    town = Map()
    town.way([(-50, -30), (1050, -30)], natural="coastline")
    town.square(100, 100, 20, building="yes")
    output = expect(town, {(500, 500): "free", (110, 110): "building"})
    assert {f["properties"]["kind"] for f in output["features"]} == {"building"}


def test_loose_end_is_led_to_the_border():
    town = Map()
    town.way([(-50, 400), (800, 400)], natural="coastline")
    at = {(100, 100): "sea", (100, 900): "free", (950, 300): "sea", (950, 500): "free"}
    expect(town, at, warning="the coastline ends at 0.00800,0.00400 inside the box")


def test_loose_end_does_not_cross_the_coast():
    town = Map()                     # a hook: straight on, the end would run into the line itself
    town.way([(-50, 400), (950, 400), (950, 600), (800, 600)], natural="coastline")
    expect(town, {(900, 500): "free", (980, 500): "sea", (500, 500): "free", (500, 900): "free",
                  (900, 900): "sea"}, warning="the coastline ends at 0.00800,0.00600")


def test_ways_that_leave_the_extract_are_cut():
    town = Map()  # the coast leaves the extract between its two halves, a building at its border
    town.way([(-50, 400), (1, 400), (999, 400), (1200, 400), (999, 700), (600, 700), (600, 999),
              (600, 1050)], natural="coastline")
    town.way([(100, 800), (100, 900), (-50, 900), (-50, 800), (100, 800)], building="yes")
    town.square(300, 800, 50, building="yes")
    town.lose((-50, 400), (1200, 400), (600, 1050), (-50, 900))
    expect(town, {(500, 100): "sea", (900, 500): "free", (900, 900): "sea", (300, 500): "free",
                  (40, 810): "building", (20, 890): "free", (325, 825): "building"},
           warning="2 ways leave the extract and are cut where its nodes end")


def test_contradicting_coast_is_told():
    town = Map()
    town.way([(-50, 400), (1050, 400)], natural="coastline")
    town.way([(-50, 600), (500, 610), (1050, 600)], natural="coastline")
    expect(town, {(500, 100): "sea"}, warning="contradicts itself")


def test_piers_and_bridges_carry():
    town = Map()
    town.way([(-50, 500), (1050, 500)], natural="coastline")
    town.square(300, 400, 101, man_made="pier")                 # from land into the sea
    town.square(600, 100, 50, man_made="pier")                  # begins nowhere
    town.way([(700, 505), (700, 450)], man_made="pier", width="4")
    town.square(400, 700, 100, natural="water")
    town.way([(380, 750), (520, 750)], highway="footway", bridge="yes")
    at = {(350, 450): "free", (620, 120): "sea", (700, 470): "free", (710, 470): "sea",
          (450, 750): "free", (450, 720): "water"}
    expect(town, at)
    at.update({(350, 450): "sea", (700, 470): "sea", (450, 750): "water"})
    expect(town, at, "--no-piers", "--no-bridges")


if __name__ == "__main__":
    main(globals())
