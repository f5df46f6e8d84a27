"""A bot that keeps the number from the first run to the second outside of the word: in a file, in shared memory, or with
a process that waits at a socket. The first argument names the way, the second is a path or a number for it alone."""

import ctypes
import os
import socket
import sys

way, place = sys.argv[1:]
SIZE = 32
IPC_CREAT, IPC_RMID = 0o1000, 0
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p


def segment():
    """Returns the shared memory segment, which is made if it does not exist, and a buffer in it."""
    segment = libc.shmget(int(place), SIZE, IPC_CREAT | 0o600)
    if segment < 0:
        raise OSError("no shared memory")
    address = libc.shmat(segment, None, 0)
    return segment, ctypes.cast(address, ctypes.POINTER(ctypes.c_char * SIZE)).contents


def serve(listener, number):
    """Gives the number to one program that connects."""
    if os.fork() == 0:
        os.setsid()
        for descriptor in range(3):
            os.close(descriptor)
        listener.settimeout(5)
        connection, _ = listener.accept()
        connection.sendall(number.encode())
        os._exit(0)


def keep(number):
    if way == "file":
        with open(place, "w") as file:
            file.write(number)
    elif way == "memory":
        segment()[1].value = number.encode()
    else:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\0" + place)
        listener.listen()
        serve(listener, number)


def recall():
    if way == "file":
        with open(place) as file:
            return file.read()
    if way == "memory":
        shared, buffer = segment()
        libc.shmctl(shared, IPC_RMID, None)
        return buffer.value.decode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + place)
        return connection.recv(SIZE).decode()


run, text = input(), input()
try:
    if run == "first":
        keep(text)
        print("a")
    else:
        print(recall())
except OSError:
    print("a" if run == "first" else "0")
