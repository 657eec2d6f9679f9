"""Flow, speed and density by PedPy against throng's own: test_pedpy_measures.py RUNS (in an
environment of its own, see wheel.sh)

What both define alike is equal: N(t) and the flow made of it, the speed of a step and its mean in an
area, the classic density on a grid. throng has no Voronoi measures. Over all of the ground PedPy's
Voronoi density counts the same people; in an area it is compared with the classic one."""
import pathlib
import sys

import numpy as np
import pandas
import pedpy
from checkout import run_tests

import throng

RUN = throng.open(pathlib.Path(sys.argv[1]) / "fine")  # a row and a frame for each step
DATA, GROUND = RUN.to_pedpy()
GATE = pedpy.MeasurementLine([(1032, -2000), (1032, -1980)])
WAY = pedpy.MeasurementArea([(1026, -1995), (1034, -1995), (1034, -1985), (1026, -1985)])
ALL = pedpy.MeasurementArea([(1000.5, -2000), (1040.5, -2000), (1040.5, -1980), (1000.5, -1980)])
SPEEDS = pedpy.compute_individual_speed(
    traj_data=DATA, frame_step=1, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)


def some(frames):
    """Only these frames, numbered from 0 on."""
    rows = DATA.data[DATA.data.frame.isin(frames)][["id", "frame", "x", "y"]]
    return pedpy.TrajectoryData(rows.assign(frame=np.searchsorted(frames, rows.frame)), 10)


def test_flow():
    """PedPy's flow of the trajectory is that of the counts in lines.csv, and so are the sums."""
    counts, crossings = pedpy.compute_n_t(traj_data=DATA, measurement_line=GATE)
    own = pandas.DataFrame({"frame": RUN.lines["step"], "time": RUN.lines["time_s"],
                            "cumulative_pedestrians": RUN.lines["forward"]})
    assert np.array_equal(own.frame, counts.frame[:len(own)]) and len(counts) - len(own) <= 1

    def flow(table):
        return pedpy.compute_flow(nt=table, crossing_frames=crossings, individual_speed=SPEEDS,
                                  delta_frame=50, frame_rate=10)

    found = flow(own)
    assert len(found) > 4 and found.equals(flow(counts[:len(own)])) and found.flow.max() > 3
    passed = np.cumsum(RUN.lines["flow_per_s"]) / 10
    assert np.max(np.abs(passed - counts.cumulative_pedestrians[:len(own)])) < 1e-3


def test_speed_in_an_area():
    """A speed in areas.csv is the way of the last step; PedPy's of two frames is the same. That of
    three frames differs where people turn or change their speed."""
    step, own = RUN.areas["step"], RUN.areas["mean_speed_m_s"]
    checked = 0
    for k in step[(RUN.areas["count"] > 0) & (step > 0)][::10]:
        pair = some([k - 1, k])
        speeds = pedpy.compute_individual_speed(
            traj_data=pair, frame_step=1,
            speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)
        mean = pedpy.compute_mean_speed_per_frame(traj_data=pair, individual_speed=speeds,
                                                  measurement_area=WAY)
        assert abs(mean.speed.to_numpy()[1] - own[step == k][0]) < 1e-4, k
        checked += 1
    assert checked > 15
    mean = pedpy.compute_mean_speed_per_frame(traj_data=DATA, individual_speed=SPEEDS,
                                              measurement_area=WAY)
    away = (mean.speed.to_numpy()[step] - own)[RUN.areas["count"] > 0]
    print(f"  speed over two steps: mean difference {away.mean():+.4f}, largest "
          f"{np.abs(away).max():.4f} m/s")
    assert -0.02 < away.mean() <= 0 and np.abs(away).max() < 0.3


def test_density_on_a_grid():
    """The mean of PedPy's classic profiles is the density file, cell by cell."""
    field = RUN.density(200)
    profiles = pedpy.compute_density_profile(
        data=some(list(range(105, 201, 5))).data, walkable_area=GROUND, grid_size=1,
        density_method=pedpy.DensityMethod.CLASSIC)
    assert len(profiles) == 20
    mean = np.flipud(np.mean(profiles, axis=0))
    assert mean.shape == field.density.shape and field.density.max() > 0.5
    assert np.max(np.abs(mean - field.density)) < 1e-5


def test_voronoi():
    """Measured bounds, where the two are defined differently."""
    frames = np.arange(0, DATA.data.frame.max() + 1, 5)
    data = some(frames)
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=data, walkable_area=GROUND)
    # Each person is 1 in their own cell: over all of the ground, as many as there are.
    whole, _ = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=ALL)
    there = RUN.series["agents"][np.searchsorted(RUN.series["step"], frames)]
    assert np.max(np.abs(whole.density.to_numpy() * 800 - there)) < 1e-6 and there[0] == 160

    density, parts = pedpy.compute_voronoi_density(individual_voronoi_data=cells,
                                                   measurement_area=WAY)
    speed = pedpy.compute_voronoi_speed(
        traj_data=data, individual_speed=SPEEDS.assign(frame=SPEEDS.frame // 5)[
            SPEEDS.frame % 5 == 0], individual_voronoi_intersection=parts, measurement_area=WAY)
    rows = np.searchsorted(RUN.areas["step"], frames)
    own = RUN.areas["density_per_m2"][rows]
    busy = own > 0.1
    voronoi, mine = density.density.to_numpy()[busy], own[busy]
    v, mean_speed = speed.speed.to_numpy()[busy], RUN.areas["mean_speed_m_s"][rows][busy]
    calm, own_calm = np.diff(voronoi).std(), np.diff(mine).std()
    print(f"  Voronoi density {voronoi.mean():.3f}, classic {mine.mean():.3f} /m2; deviation of their "
          f"changes {calm:.4f} and {own_calm:.4f} /m2; Voronoi speed {v.mean():.3f}, mean speed "
          f"{mean_speed.mean():.3f} m/s")
    assert len(mine) > 50 and abs(voronoi.mean() / mine.mean() - 1) < 0.1
    assert calm < 0.85 * own_calm  # "minimal scatter"
    assert abs(v.mean() / mean_speed.mean() - 1) < 0.03


run_tests(globals())
