"""One piece of work in a process of its own: ``work.py MODULE FUNCTION OPTIONS PROBLEM ANSWER LIMIT``.

The function imports and prepares what the work needs, and returns the work and what reads an answer from its result.
CPU seconds are those of the work alone, with all threads and processes that it waited for; work of less than a second
is done five times, and the shortest time taken. A process that takes more than the limit is ended by the system.
"""

import json
import resource
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

REPEATS, LONG = 5, 1.0


def cpu():
    """CPU seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(module, function, options, problem, answer, limit):
    with np.load(problem) as file:
        given = dict(file)
    work, read = getattr(import_module(module), function)(given, **json.loads(options))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu() + float(limit)) + 1, hard))
    seconds = []
    while not seconds or (max(seconds) < LONG and len(seconds) < REPEATS):
        begun = cpu()
        result = work()
        seconds.append(cpu() - begun)
    Path(answer).write_text(json.dumps({"seconds": min(seconds), "answer": read(result)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
