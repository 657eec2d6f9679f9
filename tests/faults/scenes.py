"""The scenes and options that the cases share."""

from job import HERE

SAME_BITS = HERE.parent / "same_bits"
STATION = (SAME_BITS / "station.yaml", "--set", "time.end=120", "--set",
           "output.snapshot_every=10")
STOP = (SAME_BITS / "station.yaml",)
METHODS = (SAME_BITS / "methods.yaml",)
ROADMAP = (SAME_BITS / "roadmap.yaml",)
LIVE = (HERE / "live.yaml",)
CROWD = (HERE / "crowd.yaml",)
KEEPING = ("--set", "output.checkpoint_every=2")
AGAIN = ("--restart", "auto")
PLAIN = ("--set", "output.compression=0")  # 30 MB a checkpoint of CROWD, 10 MB a snapshot
NO_ROOM = "cannot be written"
