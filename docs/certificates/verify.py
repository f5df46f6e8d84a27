#!/usr/bin/env python3
"""Verify certificates of periods by the rules alone: every nimber is the mex of its options.

usage: verify.py [--max N] FILE...

FILE has certificates, or lines of a sweep, as docs/certificates.md describes them. Games whose proof needs more than N
values, 3000 by default, are skipped: the time is quadratic. Exit code 1 means that a certificate is wrong.
"""
import argparse
import hashlib
import json
from operator import xor


def moves(game):
    """The moves as {cards taken: digit of the octal code}; None if a move may leave three heaps."""
    name, *words = game.split()
    if name == "segment":
        low, high = map(int, words)
        return {take: 7 for take in range(low, high + 1)}
    before, after = words[0].split(".")
    digits = {take: int(digit, 36) for take, digit in enumerate(before[-1] + after)}
    return digits if max(digits.values()) < 8 else None


def nimbers(digits, count):
    """The nimbers of the heaps 0 to count - 1."""
    values = [0]
    for heap in range(1, count):
        options = set()
        for take, digit in digits.items():
            rest = heap - take
            if rest == 0 and digit & 1:
                options.add(0)
            if rest > 0 and digit & 2:
                options.add(values[rest])
            if rest > 1 and digit & 4:
                half = rest // 2
                options.update(map(xor, values[1 : half + 1], values[rest - 1 : rest - half - 1 : -1]))
        values.append(next(value for value in range(len(options) + 1) if value not in options))
    return values


def flaw(certificate, digits, count):
    """What is wrong with the certificate; None if its period is proven and is the shortest and the earliest."""
    values, start, period = nimbers(digits, count), certificate["pre_period"], certificate["period"]
    repeats = lambda first, length: all(values[n] == values[n + length] for n in range(first, count - length))
    if certificate.get("values", count) != count:
        return f"its proof needs {count} values"
    if not repeats(start, period):
        return "its values do not repeat"
    if any(period % length == 0 and repeats(start, length) for length in range(1, period)):
        return "its period is a multiple of another one"
    # The proof takes a period from one of two heaps. So that heap 0 can be in the period, the other one may be left alone.
    first = 0 if all(digit & 2 or not digit & 4 for digit in digits.values()) else 1
    if start > first and repeats(start - 1, period):
        return "its values repeat from an earlier heap on"
    data = b"".join(value.to_bytes(4, "little") for value in values)
    return None if hashlib.sha256(data).hexdigest() == certificate["sha256"].lower() else "its hash is another one"


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--max", type=int, default=3000, metavar="N", help="skip proofs of more than N values")
parser.add_argument("files", nargs="+", metavar="FILE")
arguments = parser.parse_args()
proven, wrong, skipped = 0, 0, 0
for file in arguments.files:
    for line in open(file, encoding="utf-8"):
        certificate = json.loads(line)
        if "period" not in certificate or "saltus" in certificate:
            continue
        digits = moves(certificate["game"])
        longest = max((take for take, digit in (digits or {}).items() if digit), default=0)
        count = 2 * certificate["pre_period"] + 2 * certificate["period"] + longest
        if digits is None or count > arguments.max:
            skipped += 1
        elif reason := flaw(certificate, digits, count):
            wrong += 1
            print(f"{certificate['game']}: wrong: {reason}")
        else:
            proven += 1
print(f"{proven} proven, {wrong} wrong, {skipped} skipped")
raise SystemExit(1 if wrong else 0)
