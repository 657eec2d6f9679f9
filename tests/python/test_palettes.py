"""Can every picture be read by the colour-blind, and in grey print? test_palettes.py"""
import sys

import numpy as np
from checkout import run_tests

try:
    from throng.pictures import style
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB.
BLIND = {"deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                          [-0.011820, 0.042940, 0.968881]],
         "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]],
         "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                        [0.004733, 0.691367, 0.303900]],
         "nothing": np.eye(3)}
GREY = [0.2126, 0.7152, 0.0722]


def linear(color):
    """Linear RGB of a colour, #rrggbb."""
    rgb = np.array([int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(color, kind="nothing"):
    """CIE L*, a*, b* (D65) of a colour as somebody sees it."""
    seen = np.clip(np.array(BLIND[kind]) @ linear(color), 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], GREY, [0.0193, 0.1192, 0.9505]]) @ seen
    f = xyz / [0.9505, 1, 1.089]
    f = np.where(f > 0.008856, np.cbrt(f), 7.787 * f + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_known_colours():
    """The measures themselves, by values from tables."""
    assert np.allclose(lab("#ffffff"), [100, 0, 0], atol=0.1)
    assert np.allclose(lab("#ff0000"), [53.2, 80.1, 67.2], atol=0.2)
    assert abs(style.lightness(np.array([1.0, 0, 0])) - 53.2) < 0.1
    # Red and green of equal use to others are alike for a deuteranope.
    red, green = (lab(color, "deuteranopia") for color in ("#a05000", "#707000"))
    assert np.hypot(*(red - green)[1:]) < 8


def test_steps_differ_in_lightness():
    """Neighbouring steps, for everybody and in grey; from pale to dark without a turn."""
    for name in style.RAMPS:
        for count in (4, 5, 6, 7):
            colors = style.ramp(name, count)
            assert len(set(colors)) == count, name
            for kind in BLIND:
                light = np.array([lab(color, kind)[0] for color in colors])
                assert np.all(-np.diff(light) > 6.5), (name, count, kind, light.round(1))


def test_service_stands_out_from_the_ground():
    """The palest level is not taken for ground, solid ground or water."""
    for name in style.RAMPS:
        for count in (5, 6):
            pale = style.ramp(name, count)[0]
            for other in (style.GROUND, style.SOLID, *style.KINDS.values()):
                for kind in BLIND:
                    apart = np.linalg.norm(lab(pale, kind) - lab(other, kind))
                    assert apart > 7, (name, other, kind, apart)


def test_exits_differ():
    """Colours of exits: every pair for everybody."""
    for line in style.LINES:  # thin on white
        assert 1.05 / (linear(line) @ GREY + 0.05) > 3, line
    colors = [*style.CATEGORIES, style.OTHER]
    for kind in BLIND:
        if kind == "tritanopia":  # one in 10,000; the names stand on the map
            continue
        for i, one in enumerate(colors):
            for other in colors[:i]:
                apart = np.linalg.norm(lab(one, kind) - lab(other, kind))
                assert apart > 9, (one, other, kind, apart)


def test_differences():
    """Less and more: darker with size, alike in lightness, different in hue for everybody; grey
    print has the hatches."""
    for kind in BLIND:
        for arm in (style.LESS, style.MORE):
            light = [lab(color, kind)[0] for color in arm]
            assert np.all(-np.diff(light) > 12), (kind, arm, light)
        for less, more in zip(style.LESS, style.MORE):
            apart = np.linalg.norm((lab(less, kind) - lab(more, kind))[1:])
            assert apart > 20, (kind, less, more, apart)


def test_letters_can_be_read():
    """Contrast of text on every colour of a level: WCAG 2's ratio for large text."""
    for color in style.ramp("service", 6):
        text = "#ffffff" if style.on(color) == "white" else style.on(color)
        high, low = sorted((float(linear(one) @ GREY) for one in (color, text)), reverse=True)
        assert (high + 0.05) / (low + 0.05) > 3, color


def test_classes():
    """Limits of classes are round and lie among the values; names say what the limits are."""
    for highest in (0.003, 1, 7, 130, 1e6):
        limits = style.ladder(highest)
        assert limits == sorted(limits) and limits[-1] < highest <= 2.6 * limits[-1], limits
    for low, high in ((0, 10), (61, 299), (3, 3.5), (0, 7200)):
        limits = style.stairs(low, high, style.STRIDES)
        assert 1 <= len(limits) <= 6 and low <= limits[0] and limits[-1] <= high, (limits, low)
        assert len(set(np.round(np.diff(limits), 9))) <= 1
    assert style.stairs(5, 5) and style.ladder(0.0)
    assert style.classes([1, 2.5], unit="m") == ["below 1 m", "1 – 2.5 m", "2.5 m or more"]
    said = [style.duration(s) for s in (0.5, 59, 60, 150, 3600, 5400, -90)]
    assert said == ["0.5 s", "59 s", "1 min", "2:30 min", "1 h", "1:30 h", "−1:30 min"], said
    assert [style.clock(s) for s in (5, 5.5, 3661)] == ["0:05 min", "0:05.5 min", "1:01:01 h"]
    assert [style.round_down(x) for x in (9.9, 10, 21, 0.6)] == [5, 10, 20, 0.5]


run_tests(globals())
