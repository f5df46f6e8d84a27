#!/usr/bin/env python3
"""Draws a game of cards as SVG, from what the judge prints move by move.

    judge run 20 3 5 --opponent stubborn -v | docs/images/game.py > docs/images/game.svg

A card is a filled square, one just taken an orange one, an empty place an outline. Times are left out, so the
same game is always the same picture.
"""

import re
import sys
from html import escape

CELL, GAP, ROW, LEFT, TOP = 20, 4, 40, 150, 56
STYLES = {
    "#": 'fill="#2f6f9f"',
    "x": 'fill="#e08a1e"',
    ".": 'fill="none" stroke="#b8b8b8"',
}


def text(x, y, words, extra=""):
    return f'<text x="{x}" y="{y}"{extra}>{escape(words)}</text>'


def main():
    lines = sys.stdin.read().splitlines()
    moves = [re.fullmatch(r" *(.*?) +([#x.]+)", line) for line in lines]
    moves = [match.groups() for match in moves if match]
    verdict = next(line for line in lines if re.match(r"[A-Z_]+ ", line))
    game = re.match(r"[A-Z_]+ (.*?) as ", verdict).group(1)
    # "(seed 1): WHY (3 moves in 1.2 ms; CPU ...)" becomes ", 3 moves: WHY".
    start, _, rest = verdict.partition(" (seed ")
    why, _, statistics = rest.partition("): ")[2].rpartition(" (")
    verdict = f"{start}, {statistics.partition(' in ')[0]}: {why}"
    places = len(moves[0][1])
    width = LEFT + places * (CELL + GAP) + 20
    height = TOP + len(moves) * ROW + 30
    n, l, r = game.split()
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
          ' font-family="sans-serif" font-size="15" fill="#222">')
    print(f"<title>{escape(verdict)}</title>")
    print('<rect width="100%" height="100%" rx="8" fill="#fbfbf8"/>')
    print(text(20, 32, f"{n} cards in a row; a move takes {l} to {r} consecutive cards; a player who cannot move loses", ' font-size="14"'))
    for at, (what, cards) in enumerate(moves):
        y = TOP + at * ROW
        move = re.fullmatch(r"(\d+) (\S+) +(\d+) (\d+)", what)
        label = "start" if move is None else "{}. {} takes {} at {}".format(*move.group(1, 2, 4, 3))
        print(text(20, y + 15, label, ' font-size="13"'))
        for place, card in enumerate(cards):
            x = LEFT + place * (CELL + GAP)
            print(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="3" {STYLES[card]}/>')
    print(text(20, height - 18, verdict, ' font-weight="bold" font-size="14"'))
    print("</svg>")


main()
