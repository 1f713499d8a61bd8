"""What worker processes of these tests suffer: rows that take long, and a row that kills."""

import os
import signal
import sys
import time

if any(module in sys.orig_argv for module in ("armdyn.sweep.crew.worker", "armdyn.sweep.crew.member")):
    from armdyn.sweep import workbench

    usual = workbench.evaluated
    seconds = float(os.environ.get("SWEEP_TEST_SECONDS", "0"))
    deadly = int(os.environ.get("SWEEP_TEST_DEADLY_ROW", "-1"))
    faulty = int(os.environ.get("SWEEP_TEST_FAULTY_ROW", "-1"))

    def evaluated(study, evaluator, points, first, stop):
        time.sleep(seconds)
        if first <= deadly < stop:
            os.kill(os.getpid(), signal.SIGKILL)
        if first <= faulty < stop:
            raise ZeroDivisionError("a fault")
        return usual(study, evaluator, points, first, stop)

    workbench.evaluated = evaluated
