"""Attacks the other program, the judge or the machine, and then runs a Python program: hostile.py ATTACK PROGRAM
[ARGUMENTS]. If the attack is refused, it ends with an exception."""

import os
import runpy
import select
import signal
import sys
import time

# Lifetime, in seconds, of the processes that are left behind if nobody ends them.
LIFE = 60


def parent(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def children(process):
    found = []
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/children") as file:
            found += map(int, file.read().split())
    return found


def judge():
    """Returns the judge's process ID. The parent of each program is its warden, and the judge is the parent of both
    wardens."""
    return parent(os.getppid())


def other():
    """Waits for the other program, and returns its process ID."""
    while True:
        for warden in set(children(judge())) - {os.getppid()}:
            for process in children(warden):
                return process


def folder():
    """Returns the folder in which the interactor, in the style icpc, writes its files."""
    with open(f"/proc/{other()}/cmdline") as file:
        return file.read().split("\0")[-2]


def write(name, text):
    with open(folder() + name, "w") as file:
        file.write(text)


def pipes():
    """Writes a score to the interactor's stderr, and opens its input and output."""
    for descriptor in 0, 1, 2:
        open(f"/proc/{other()}/fd/{descriptor}", "r+b", buffering=0)
    with open(f"/proc/{other()}/fd/2", "w") as stderr:
        stderr.write("points 1000\n")


def reopen():
    """Opens its output again before it closes it."""
    output = os.open("/dev/stdout", os.O_WRONLY)
    os.close(1)
    os.dup2(output, 1)


def reopen_closed():
    os.close(1)
    os.open("/proc/self/fd/1", os.O_WRONLY)


def mark():
    """Gives this process a name that the test looks for."""
    with open("/proc/self/comm", "w") as file:
        file.write(os.environ["HOSTILE_MARK"])


def orphans():
    """Leaves two processes in another session, which hold the pipes: one sleeps, one computes."""
    if os.fork() == 0:
        os.setsid()
        for is_busy in False, True:
            if os.fork() == 0:
                mark()
                end = time.monotonic() + LIFE
                while is_busy and time.monotonic() < end:
                    pass
                time.sleep(LIFE)
                os._exit(0)
        os._exit(0)
    os.wait()


def zombies(count):
    """Starts processes that end immediately, and does not wait for them."""
    for _ in range(count):
        if os.fork() == 0:
            mark()
            os._exit(0)


def too_many_zombies():
    """Starts more than the limit, and waits until the judge has counted them."""
    zombies(80)
    signal.pause()


ATTACKS = {
    "kill": lambda: os.kill(other(), signal.SIGKILL),
    "stop": lambda: os.kill(other(), signal.SIGSTOP),
    "kill-warden": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "kill-judge": lambda: os.killpg(os.getpgid(judge()), signal.SIGKILL),
    "pipes": pipes,
    "score": lambda: write("score.txt", "1000\n"),
    "next-pass": lambda: write("nextpass.in", "1 1\n"),
    "reopen": reopen,
    "reopen-closed": reopen_closed,
    "orphans": orphans,
    "zombies": lambda: zombies(40),
    "too-many-zombies": too_many_zombies,
}

if "icpc" not in sys.argv[2] and "testlib" not in sys.argv[2]:
    # The interactor has started when its first line comes.
    select.select([0], [], [])
ATTACKS[sys.argv[1]]()
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
