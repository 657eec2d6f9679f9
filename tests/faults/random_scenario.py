"""Draws a scenario at random: every option that may change a result, in small worlds."""

import json

METHODS = ["none", "orca", "clearpath", "rvo", "hrvo", "directional"]
MODELS = ["field", "field", "field", "roadmap", "direct"]


def number(random, lo, hi):
    return round(random.uniform(lo, hi), 2)


def perhaps(random, share=0.5):
    return random.random() < share


def rectangle(random, size, least, most):
    """[x0, y0, x1, y1] inside the world."""
    width, height = (number(random, least, min(most, side - 2)) for side in size)
    x, y = number(random, 1, size[0] - width - 1), number(random, 1, size[1] - height - 1)
    return [x, y, round(x + width, 2), round(y + height, 2)]


def area(random, size, least, most):
    x0, y0, x1, y1 = corners = rectangle(random, size, least, most)
    return random.choice([
        {"rectangle": corners}, {"rectangle": corners},
        {"circle": [round((x0 + x1) / 2, 2), round((y0 + y1) / 2, 2),
                    round(min(x1 - x0, y1 - y0) / 2, 2)]},
        {"polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, round((y0 + y1) / 2, 2)]]}])


def wall(random, size):
    x0, y0, x1, y1 = rectangle(random, size, 0.2, 8)
    return random.choice([
        f"POLYGON (({x0} {y0}, {x1} {y0}, {x1} {y1}, {x0} {y1}, {x0} {y0}))",
        f"LINESTRING ({x0} {y0}, {x1} {y1}, {x1} {y0})",
        f"POLYGON (({x0} {y0}, {x1} {y0}, {x0} {y1}, {x0} {y0}))"])


def distribution(random, lo, hi):
    middle = round((lo + hi) / 2, 3)
    return random.choice([middle, {"uniform": [lo, hi]},
                          {"normal": [middle, round((hi - lo) / 3, 3), lo, hi]},
                          {"lognormal": [middle, 0.3, lo, hi]}, {"table": [[lo, 1], [hi, 2]]}])


def avoidance(random):
    chosen = {"method": random.choice(METHODS), "neighbours": random.randint(1, 20),
              "neighbour_distance": number(random, 1, 8), "patience": number(random, 0, 3),
              "jam": random.choice(["report", "perturb", "re_route"]),
              "rvo": {"samples": random.randint(5, 60)}}
    if perhaps(random):
        chosen["max_acceleration"] = number(random, 1, 9)
    if perhaps(random, 0.3):
        chosen["contact"] = number(random, 0.5, 1)
    if perhaps(random, 0.3):
        chosen["steering"] = {"separation": 1, "separation_distance": 1.5, "alignment": 0.2,
                              "cohesion": 0.1, "unaligned": number(random, 0, 1)}
    return chosen


def navigation(random, model):
    chosen = {"model": model}
    if model == "field":
        chosen["cell"] = random.choice([0.25, 0.4, 0.5, 1])
        if perhaps(random):
            chosen["live"] = {"period": number(random, 0.5, 3), "cell": number(random, 1, 3),
                              "discomfort": number(random, 0, 0.5)}
        if perhaps(random, 0.3):
            chosen["routes"] = {"count": random.randint(2, 4), "noise": number(random, 0, 1)}
    if model != "direct" and perhaps(random, 0.3):
        chosen["clearance"] = random.choice([0.2, 0.4, 0.8])
    return chosen


def profile(random, k):
    chosen = {"name": f"p{k}", "speed": distribution(random, 0.6, 2),
              "radius": distribution(random, 0.15, 0.35)}
    walking = random.choice(["headway", "headway", "weidmann", "none"])
    chosen["walking"] = {"model": walking}
    if walking == "headway":
        chosen["walking"] |= {"side": random.choice(["right", "left", "none"]),
                              "spread": number(random, 0, 1), "time_gap": number(random, 0.5, 2)}
    elif walking == "none" and perhaps(random):
        chosen["density"] = {"model": "weidmann", "least": number(random, 0.05, 0.4)}
    if perhaps(random, 0.4):
        chosen["yield"] = distribution(random, 0.2, 2)
    if perhaps(random, 0.3):
        chosen["neighbours"] = {"uniform": [2, 12]}
    if perhaps(random, 0.3):
        chosen["reaction"] = {"uniform": [0, 2]}
    return chosen


def destination(random, size, k):
    chosen = {"name": f"d{k}",
              "areas": [area(random, size, 1.5, 6) for _ in range(random.randint(1, 3))]}
    if perhaps(random, 0.4):
        chosen["live"] = False
    if perhaps(random, 0.3):
        chosen["stay"] = distribution(random, 0.5, 3)
    elif perhaps(random, 0.1):
        chosen["until_called"] = True
    elif perhaps(random, 0.3):
        x, y, x1, _ = rectangle(random, size, 3, 8)
        chosen["queue"] = {"line": [[x, y], [x1, y]], "service": distribution(random, 0.3, 2)}
    if perhaps(random, 0.2):
        chosen["flow"] = number(random, 0.5, 3)
    return chosen


def goal_of(random, size, world):
    """One of the keys that say where agents of a source go."""
    names = [place["name"] for place in world["destinations"]]
    kind = random.choice(["destination", "destination", "shares", "journey", "goal", "offset",
                          "opposite"])
    if kind == "shares":
        return {"destination": {name: random.randint(1, 3) for name in names}}
    if kind == "journey" and world["navigation"]["model"] != "direct":
        return {"journey": random.choice(world["journeys"])["name"]}
    if kind == "goal":
        return {"goal": [number(random, 1, size[0] - 1), number(random, 1, size[1] - 1)]}
    if kind == "offset":
        return {"offset": [number(random, -2, 2), number(random, -2, 2)]}
    if kind == "opposite":
        return {"opposite": [size[0] / 2, size[1] / 2]}
    return {"destination": random.choice(names)}


def source(random, size, world, k):
    chosen = {"name": f"s{k}", "area": area(random, size, 4, 14),
              "profile": {p["name"]: random.randint(1, 3) for p in world["profiles"]}}
    chosen |= goal_of(random, size, world)
    chosen |= random.choice([
        {"count": random.randint(5, 60)}, {"density": number(random, 0.05, 0.5)},
        {"rate": number(random, 0.5, 8), "arrivals": random.choice(["even", "random"])},
        {"timetable": [[1, random.randint(1, 30)], [2.5, random.randint(1, 30)]]}])
    if perhaps(random, 0.3) and ("count" in chosen or "density" in chosen):
        chosen["group"] = random.choice([2, 3, {"uniform": [1, 4]}])
    return chosen


def journey(random, world, k):
    names = [place["name"] for place in world["destinations"]]
    legs = [random.choice([random.choice(names), {"nearest": names}, {"least": names},
                           {"random": {name: random.randint(1, 3) for name in names}}])
            for _ in range(random.randint(1, 3))]
    return {"name": f"j{k}", "via": legs, "then": random.choice(["leave", "again"])}


def zone(random, size, model, k):
    chosen = {"name": f"z{k}", "areas": [area(random, size, 2, 8)],
              "speed": number(random, 0.3, 1.3)}
    if model == "field" and perhaps(random, 0.4):
        chosen["one_way"] = random.choice([[1, 0], [0, -1], [1, 1]])
    if model == "field" and perhaps(random, 0.2):
        chosen["no_go"] = True
    return chosen


def overlapping_zones(random, size):
    """Slow ground upon slow ground, and large parts of it in one direction only."""
    slow = [{"name": f"s{k}", "areas": [area(random, size, 6, 40)],
             "speed": random.choice([0.125, 0.2, 0.3, 0.5])} for k in range(random.randint(2, 6))]
    directed = [{"name": f"w{k}", "areas": [area(random, size, 4, 30)],
                 "one_way": [random.choice([1, -1]), random.choice([0, 0.7, -0.7])]}
                for k in range(random.randint(0, 3))]
    return slow + directed


def zones(random, size, model):
    if model == "field" and perhaps(random, 0.5):
        return overlapping_zones(random, size)
    return [zone(random, size, model, k) for k in range(random.randint(1, 2))]


def door(random, size, k):
    x0, y0, x1, _ = rectangle(random, size, 1, 5)
    return {"name": f"door{k}", "line": [[x0, y0], [x1, y0]], "closed": perhaps(random)}


def what_opens(world):
    """The names of doors and, with fields, of destinations and their areas."""
    names = [one["name"] for one in world.get("doors", [])]
    if world["navigation"]["model"] == "field":
        for place in world["destinations"]:
            names += [place["name"], *(f"{place['name']}.{k}" for k in range(len(place["areas"])))]
    return names


def event(random, size, world, k):
    """Opens and closes, calls, changes a rate."""
    names = what_opens(world)
    chosen = {"name": f"e{k}"}
    if names:
        chosen[random.choice(["open", "close", "close"])] = random.sample(names, min(
            len(names), random.randint(1, 2)))
    called = [place["name"] for place in world["destinations"] if "until_called" in place]
    if called and perhaps(random):
        chosen["call"] = called
    paced = [one["name"] for one in world["sources"] if "rate" in one]
    if paced and (perhaps(random, 0.3) or len(chosen) == 1):
        chosen["rate"] = {random.choice(paced): number(random, 0, 3)}
    if len(chosen) == 1:
        return None
    crowd = {"area": area(random, size, 5, 15), "count_above": random.randint(1, 9)}
    return chosen | random.choice([{"at": number(random, 0.2, 4)}, {"at": number(random, 0.2, 4)},
                                   crowd])


def measures(random, size):
    return {"lines": [{"name": "l", "from": [size[0] / 2, 0], "to": [size[0] / 2, size[1]]}],
            "areas": [{"name": "a", "areas": [area(random, size, 4, 12)]}],
            "grid": {"cell": 2, "every": random.choice([0, 1]), "sample": 0.2}}


def scenario(random):
    """The text of a scenario; JSON is YAML. Not every one is valid."""
    size = random.randint(16, 45), random.randint(16, 30)
    model = random.choice(MODELS)
    world = {"seed": random.randrange(1000), "time": {"end": number(random, 2, 6),
                                                      "step": random.choice([0.05, 0.1, 0.1, 0.2])},
             "world": {"extent": [0, 0, *size],
                       "repair": perhaps(random, 0.8),
                       "obstacles": [wall(random, size) for _ in range(random.randint(0, 8))]},
             "ranks": {"overlap": perhaps(random)}, "avoidance": avoidance(random),
             "navigation": navigation(random, model),
             "goal": {"on_arrival": random.choice(["leave", "leave", "stay"])},
             "profiles": [profile(random, k) for k in range(random.randint(1, 3))],
             "destinations": [destination(random, size, k) for k in range(random.randint(1, 3))],
             "balance": {"when": random.choice(["auto", "never", "always"])},
             "alarms": {"jam": random.choice([0, 1]), "density": random.choice([0, 1])},
             "output": {"snapshot_every": random.choice([0, 1]), "positions": "f64",
                        "checkpoint_every": random.choice([0, 1]), "checkpoint_keep": "all"}}
    world["journeys"] = [journey(random, world, k) for k in range(2)]
    world["sources"] = [source(random, size, world, k) for k in range(random.randint(1, 4))]
    used = {one.get("journey") for one in world["sources"]}
    world["journeys"] = [one for one in world["journeys"] if one["name"] in used]
    if perhaps(random, 0.5):
        world["zones"] = zones(random, size, model)
    if model != "direct" and perhaps(random, 0.6):
        world["doors"] = [door(random, size, k) for k in range(random.randint(0, 2))]
        events = [event(random, size, world, k) for k in range(random.randint(1, 4))]
        world["events"] = [one for one in events if one]
    if perhaps(random, 0.5):
        world["measure"] = measures(random, size)
    return json.dumps(world, indent=1)
