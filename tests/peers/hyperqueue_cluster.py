"""Runs the judge on a HyperQueue cluster of two workers, one of which is killed in the middle.

Usage: hyperqueue_cluster.py DIRECTORY NAME=RESULTS ... runs, for each name, the script DIRECTORY/NAME.sh as four tasks.
Task 2 writes its results to RESULTS/2.jsonl. The script is that of docs/scale.md. The Python package has no command
"hq", so this program does what "hq submit" does.
"""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

SHARDS = 4
TIMEOUT = 120  # seconds


def start_worker(cluster):
    """Starts a worker in its own process, so that it can be killed, and returns its process id."""
    worker = os.fork()
    if worker == 0:
        cluster.start_worker(WorkerConfig(cores=2))
        while True:
            signal.pause()
    return worker


def worker_of(task, workers):
    """Returns the worker that runs this task: the process whose child has the task's number in its environment."""
    for process in Path("/proc").iterdir():
        try:
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            environment = (process / "environ").read_bytes().split(b"\0")
        except (OSError, IndexError, ValueError):
            continue
        if parent in workers and f"HQ_TASK_ID={task}".encode() in environment:
            return parent
    return None


def await_lines(file, count):
    deadline = time.monotonic() + TIMEOUT
    while not file.exists() or file.read_bytes().count(b"\n") < count:
        if time.monotonic() > deadline:
            sys.exit(f"{file} has no {count} lines after {TIMEOUT} s")
        time.sleep(0.02)


def run(directory, name, results):
    """Submits a script, kills the worker of task 2 when the task has results, and waits for the end."""
    cluster, workers = LocalCluster(), []
    try:
        workers += [start_worker(cluster), start_worker(cluster)]
        client = cluster.client()
        job = Job(default_workdir=directory, name=name, max_fails=None)
        # The tasks of "hq submit --array 1-4" are numbered from 1, but those of a `Job` from 0.
        job.program(["true"])
        note = f'echo "$HQ_INSTANCE_ID" >>{name}-instances-$HQ_TASK_ID; exec ./{name}.sh'
        for _ in range(SHARDS):
            job.program(["bash", "-c", note], crash_limit=100)
        submitted = client.submit(job)
        await_lines(results / "2.jsonl", 2)
        worker = worker_of(2, workers)
        if worker is None:
            sys.exit(f"{name}: task 2 had ended before its worker was killed")
        os.kill(worker, signal.SIGKILL)
        shutil.copy(results / "2.jsonl", directory / f"{name}-before.jsonl")
        os.waitpid(worker, 0)
        workers.remove(worker)
        client.wait_for_jobs([submitted])
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        cluster.stop()
    instances = (directory / f"{name}-instances-2").read_text().split()
    print(f"{name}: task 2 was started {len(instances)} times", flush=True)


for argument in sys.argv[2:]:
    name, results = argument.split("=", 1)
    run(Path(sys.argv[1]), name, Path(results))
