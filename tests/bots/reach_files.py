#!/usr/bin/env python3
"""A bot that tries to write files and to reach the network: reach_files.py FOLDER TCP_PORT UDP_PORT."""

import os
import socket
import sys

from attempts import report_attempts

folder, tcp, udp = sys.argv[1:]
own = folder + "/own"


def local(kind):
    return socket.socket(socket.AF_UNIX, kind)


attempts = {
    "read": lambda: open(own).read(),
    "null": lambda: open("/dev/null", "w").write("x"),
    "stderr": lambda: open("/dev/stderr", "w").write(""),
    "pair": lambda: socket.socketpair(),
    "here": lambda: open("here", "w"),
    "there": lambda: open(folder + "/there", "w"),
    "append": lambda: open(own, "a").write("x"),
    "truncate": lambda: os.truncate(own, 1),
    "mode": lambda: os.chmod(own, 0o755),
    "times": lambda: os.utime(own),
    "folder": lambda: os.mkdir(folder + "/sub"),
    "link": lambda: os.symlink(own, folder + "/link"),
    "twin": lambda: os.link(own, folder + "/twin"),
    "fifo": lambda: os.mkfifo(folder + "/fifo"),
    "rename": lambda: os.rename(own, folder + "/other"),
    "delete": lambda: os.unlink(folder + "/other"),
    "tcp": lambda: socket.create_connection(("127.0.0.1", int(tcp))),
    "udp": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(udp))),
    "unix": lambda: local(socket.SOCK_STREAM).connect(folder + "/socket"),
    "datagrams": lambda: socket.socketpair(type=socket.SOCK_DGRAM),
}
report_attempts(attempts)
