"""The scenes and options that the cases share."""

from job import HERE

STATION = (HERE.parent / "same_bits/station.yaml", "--set", "time.end=120", "--set",
           "output.snapshot_every=10")
STOP = (HERE.parent / "same_bits/station.yaml",)
CROWD = (HERE / "crowd.yaml",)
KEEPING = ("--set", "output.checkpoint_every=2")
AGAIN = ("--restart", "auto")
PLAIN = ("--set", "output.compression=0")  # 30 MB a checkpoint of CROWD, 10 MB a snapshot
NO_ROOM = "cannot be written"
