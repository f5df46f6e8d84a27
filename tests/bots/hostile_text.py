#!/usr/bin/env python3
"""Prints what a page must show as text: markup, control characters, other encodings, and a long line at the end."""
import sys

MARKUP = "</script><script>document.title = 'taken over'</script><img src=x onerror=\"document.title = 'taken over'\"><!--"
sys.stderr.buffer.write(MARKUP.encode() + "\n\u202eorder\u202c \x1b[2J \0 \u05d0\u05d1 \u2028".encode() + b" \xff\xfe\n")
sys.stderr.flush()
input()
print("First", flush=True)
# The judge receives these lines early and reads them as moves, one after the other. The first move is not legal.
lines = [MARKUP.encode(), "\u202e3 2 \x1b[7m\0".encode(), b"\xff\xfe", b"<b>" * 1300, b"{{x}} ${1} &lt;"]
sys.stdout.buffer.write(b"1 1\n" + b"\n".join(lines) + b"\n")
sys.stdout.flush()
input()
