"""A league of cgarena whose referee is `judge match`: CGARENA JUDGE DIRECTORY.

Configures the server by its HTTP interface, submits bots, and waits for ten pairs of games. The last printed line has
the names of the bots, the best first.
"""

import json
import socket
import subprocess
import sys
import time
import urllib.request

CGARENA, JUDGE, DIRECTORY = sys.argv[1:]
TIMEOUT = 120  # seconds


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = free_port()


def call(method, path, value=None):
    body = None if value is None else json.dumps(value).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/api/{path}", body, {"content-type": "application/json"}, method=method
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def until(what, seen):
    """Waits until `seen` returns a true value, and returns that value. Exits with an error at the timeout."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            if result := seen():
                return result
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"{what}: not within {TIMEOUT} s")


CONFIGURATION = {
    "game": {"min_players": 2, "max_players": 2, "symmetric": True},
    "ranking": {"algorithm": "Elo", "k": 32},
    "workers": [
        {
            "type": "embedded",
            "threads": 1,
            "cmd_build": "true",
            # The language of a bot is its command, here a bundled opponent of the judge.
            "cmd_run": "{LANG}",
            "referee": {
                "type": "command",
                "play_match": f"{JUDGE} match --format cgarena --family nim --max-n 30 --seed {{SEED}} "
                "--record {REPLAY_PATH} {PLAYERS}",
                "watch_replay": "sh -c 'cp \"$1\" \"$2/test.html\"' sh {REPLAY_PATH} {REPLAY_DIR} {PORT} {PLAYER_COUNT}",
            },
        }
    ],
}

subprocess.run([CGARENA, "init", DIRECTORY], check=True)
with open(f"{DIRECTORY}/cgarena_config.toml", "w") as file:
    file.write(f'[server]\nport = {PORT}\nexpose = false\n[log]\nlevel = "INFO"\nfile = "cgarena.log"\n')
server = subprocess.Popen([CGARENA, "run", DIRECTORY])
try:
    until("the server answers", lambda: call("GET", "configuration"))
    call("PUT", "configuration", CONFIGURATION)
    for name, role in [("random", "benchmark"), ("perfect", "candidate")]:
        bot = {"name": name, "source_code": name, "language": name, "role": role}
        call("POST", "bots", bot)

    def board():
        status = call("GET", "status")
        board = status["leaderboards"][0]
        print(json.dumps(status)[:2000])
        if failed := [bot["name"] for bot in status["bots"] if bot["matches_with_error"]]:
            sys.exit(f"games of these bots failed: {failed}")
        return board if board["total_matches"] >= 10 else None

    board = until("ten pairs of games", board)
    names = {bot["id"]: bot["name"] for bot in call("GET", "status")["bots"]}
    rows = sorted(board["items"], key=lambda row: row["rank"])
    print(" ".join(names[row["id"]] for row in rows))
finally:
    server.terminate()
    server.wait()
