"""kill -9 at every step of a write, and at random: what is listed afterwards loads and is right."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.cache.disk.folder import SUBFOLDER
from app.cache.snapshot import Snapshot
from app.cache.ssd import SSDCacheConfig, SSDCacheTier
from tests.cache.disk.crash_child import chat
from tests.cache.disk.states import plain, same_bits

POINTS = ["opened", "header", "tensor", "flushed", "synced", "renamed", "indexed", "evicted"]
LIMIT_GB = 0.002
KILLS = int(os.environ.get("SECOND_GLANCE_KILLS", "4"))
ROOT = Path(__file__).parents[2]


def start(folder, point, count, first=0):
    command = [sys.executable, "-m", "tests.cache.disk.crash_child", str(folder), point, str(count), str(first)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(folder, limit=int(LIMIT_GB * 1024**3)):
    """Reopen the folder and compare everything it lists with what was meant to be there; return how many."""
    tier = SSDCacheTier(SSDCacheConfig(folder, max_size_gb=LIMIT_GB, min_free_bytes=0))
    tier.start_writer()
    assert tier.flush()
    root = folder / SUBFOLDER
    assert not list(root.rglob("*.tmp")), "interrupted writes are gone"
    assert sum(p.stat().st_size for p in root.rglob("*") if p.is_file()) <= limit
    assert tier.verify() == []
    listed = 0
    for number in range(700):
        found = tier.lookup_ssd(chat(number))
        if found is not None:
            listed += 1
            assert same_bits(tier.load(found), Snapshot.take(plain(chat(number)), len(chat(number))))
    assert listed >= tier.get_stats()["entries"]
    tier.close()
    return listed


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_step_of_a_write(tmp_path, point):
    child = start(tmp_path, point, 25 if point == "tensor" else 5)
    _, errors = child.communicate(timeout=120)
    assert child.returncode == -signal.SIGKILL, errors
    assert check(tmp_path) >= 3


def test_killed_at_random(tmp_path):
    seed = random.randrange(1 << 30)
    rng = random.Random(seed)
    found = 0
    for round_number in range(KILLS):
        child = start(tmp_path, "-", 0, first=round_number * 5 % 100)
        assert child.stdout.readline() == "ready\n"
        try:
            child.wait(rng.uniform(0.02, 0.3))
        except subprocess.TimeoutExpired:
            child.kill()
        child.communicate()
        found += check(tmp_path)
    assert found > 0, f"seed {seed}"
