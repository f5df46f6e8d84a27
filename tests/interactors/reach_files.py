"""An interactor in the style icpc that tries what its sandbox allows (the first five attempts) and what it refuses:
reach_files.py OUTSIDE. Its message names the attempts that worked."""

import os
import socket
import sys

sys.path.append(os.path.dirname(__file__) + "/../bots")
from attempts import print_attempts

outside, data, _, folder = sys.argv[1:]
attempts = {
    "inside": lambda: open(folder + "log", "w").write("x"),
    "append": lambda: open(folder + "log", "a").write("x"),
    "truncate": lambda: os.truncate(folder + "log", 0),
    "folder": lambda: os.mkdir(folder + "sub"),
    "delete": lambda: os.rmdir(folder + "sub"),
    "link": lambda: os.symlink("/etc/passwd", folder + "link"),
    "fifo": lambda: os.mkfifo(folder + "fifo"),
    "outside": lambda: open(outside + "/log", "w"),
    "move": lambda: os.rename(folder + "log", outside + "/moved"),
    "socket": lambda: socket.socket(),
    "input": lambda: open(data, "a"),
}
with open(folder + "judgemessage.txt", "w") as file:
    print_attempts(attempts, file)
sys.exit(42)
