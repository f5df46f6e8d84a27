#!/usr/bin/env python3
"""Verify certificates of periods by the rules alone: every nimber is the mex of its options.

FILE has certificates, or lines of a sweep, as docs/certificates.md describes them. Games whose proof needs more than N
values are skipped: the time is quadratic. Exit code 1 means that a certificate is wrong.
"""
import argparse
import hashlib
import json
from operator import xor


def moves(game):
    """The moves as {cards taken: digit of the octal code}."""
    name, *words = game.split()
    if name == "segment":
        return dict.fromkeys(range(int(words[0]), int(words[1]) + 1), 7)
    before, after = words[0].split(".")
    return {take: int(digit, 36) for take, digit in enumerate(before[-1] + after) if digit != "0"}


def nimbers(digits, count):
    """The nimbers of the heaps 0 to count - 1."""
    values = []
    for heap in range(count):
        options = set()
        for take, digit in digits.items():
            rest, half = heap - take, (heap - take) // 2
            if rest >= 0 and digit & (2 if rest else 1):
                options.add(values[rest])
            if rest > 1 and digit & 4:
                options.update(map(xor, values[1 : half + 1], values[rest - half : rest][::-1]))
        values.append(next(value for value in range(len(options) + 1) if value not in options))
    return values


def flaw(certificate, digits, count):
    """What is wrong with the certificate; None if its period is proven and is the shortest and the earliest."""
    values, start, period = nimbers(digits, count), certificate["pre_period"], certificate["period"]
    repeats = lambda first, length: values[first : count - length] == values[first + length :]
    # The proof takes a period from one of two heaps. So that heap 0 can be in the period, the other one may be left alone.
    first = 0 if all(digit & 2 or not digit & 4 for digit in digits.values()) else 1
    data = b"".join(value.to_bytes(4, "little") for value in values)
    return next((reason for is_wrong, reason in [
        (certificate.get("values", count) != count, f"its proof needs {count} values"),
        (not repeats(start, period), "its values do not repeat"),
        (any(period % d == 0 and repeats(start, d) for d in range(1, period)), "its period is a multiple of another one"),
        (start > first and repeats(start - 1, period), "its values repeat from an earlier heap on"),
        (hashlib.sha256(data).hexdigest() != certificate["sha256"].lower(), "its hash is another one"),
    ] if is_wrong), None)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--max", type=int, default=3000, metavar="N", help="largest proof that is checked [default: 3000]")
parser.add_argument("files", nargs="+", metavar="FILE")
arguments, counts = parser.parse_args(), {"proven": 0, "wrong": 0, "skipped": 0}
for certificate in (json.loads(line) for file in arguments.files for line in open(file, encoding="utf-8")):
    if "period" not in certificate or "saltus" in certificate:
        continue
    digits = moves(certificate["game"])
    needed = 2 * certificate["pre_period"] + 2 * certificate["period"] + max(digits, default=0)
    is_checked = max(digits.values(), default=0) < 8 and needed <= arguments.max
    reason = flaw(certificate, digits, needed) if is_checked else None
    counts["skipped" if not is_checked else "wrong" if reason else "proven"] += 1
    if reason:
        print(f"{certificate['game']}: wrong: {reason}")
print(", ".join(f"{count} {name}" for name, count in counts.items()))
raise SystemExit(counts["wrong"] > 0)
