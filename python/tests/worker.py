"""A stand-in for the judge: it answers each job, and ends when a job says so."""

import json
import os
import sys

for line in sys.stdin:
    job = json.loads(line)
    if job.get("game") == "die":
        os._exit(9)
    if job.get("game") == "torn":
        sys.stdout.write('{"id": "')
        sys.stdout.flush()
        os._exit(9)
    if job.get("game") == "wrong":
        answer = {"schema": 2, "id": job["id"], "line": 1, "error": "expected another game"}
    else:
        answer = {
            "schema": 2, "id": job["id"], "verdict": "ACCEPTED", "class": "accepted", "passed": 1, "ran": 1,
            "total": 1, "score": None, "compile": {"ok": True, "ms": 1.5, "log": ""}, "guards": [],
            "missing_guards": [], "runs": [],
        }
    print(json.dumps(answer), flush=True)
