#!/usr/bin/env python3
"""Completes ways that leave an OpenStreetMap extract; a part of osm2geojson.sh.

    osmium cat IN -f opl | osm_ways.py >OUT.opl

Many extracts hold all ways of a box, but only the nodes inside it. osmium drops a way without all
its nodes, and with it the sea or a whole block at the border. Here such a way keeps what the extract
has of it: a line (a coast, a street, a wall) becomes one line for each part inside; an area is
closed straight between the nodes that are left. Prints how many ways were cut on standard error.
OPL: https://osmcode.org/opl-file-format
"""
import sys

LINES = ("natural=coastline", "natural=cliff", "highway=", "barrier=", "railway=rail",
         "railway=light_rail", "railway=tram", "railway=narrow_gauge")  # also where they are closed
FIRST_NEW_ID = 10**15  # of further parts of a way: above all ids in use


def is_area(nodes, tags):
    """Whether the way, with all its nodes, encloses an area."""
    return nodes[0] == nodes[-1] and not any(tag.startswith(LINES) for tag in tags.split(","))


def parts_inside(nodes, known):
    """The runs of nodes of a line that the extract has."""
    runs = [[]]
    for node in nodes:
        if node in known:
            runs[-1].append(node)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def area_inside(nodes, known):
    """The outline of an area without the nodes that are missing: one, or none."""
    left = [node for node in nodes[:-1] if node in known]
    return [left + left[:1]] if len(left) > 2 else []


def complete(opl, out):
    """Copies the data (OPL: nodes, ways, relations); returns how many ways were cut."""
    known, further, cut = set(), [], 0
    for line in opl:
        fields = line.rstrip("\n").split(" ")
        if line[0] == "n":
            known.add(fields[0])
        if line[0] == "r" and further:
            out.writelines(further)
            further = []
        nodes = fields[-1][1:].split(",") if line[0] == "w" else []
        if not nodes[1:] or known.issuperset(nodes):
            out.write(line)
            continue
        cut += 1
        inside = area_inside if is_area(nodes, fields[-2][1:]) else parts_inside
        parts = [" ".join(fields[1:-1] + ["N" + ",".join(part)]) + "\n"
                 for part in inside(nodes, known)]
        out.writelines(f"{fields[0]} {part}" for part in parts[:1])
        further += [f"w{FIRST_NEW_ID + cut * 1000 + k} {part}" for k, part in enumerate(parts[1:])]
    out.writelines(further)
    return cut


def main():
    """Standard input to standard output."""
    cut = complete(sys.stdin, sys.stdout)
    print(f"osm2geojson: {cut} ways leave the extract and are cut where its nodes end",
          file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
