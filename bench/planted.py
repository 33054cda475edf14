"""Services of the lab with planted faults, started and ended by the benchmarks of more than one folder.

`args` of all functions: `java`, how a JVM is started, and `lab`, the lab's jar or its class path.
"""
import json, os, queue, signal, subprocess, sys, tempfile, threading

MAIN = "dev.jdyno.lab.planted.Planted"
START_S = 60
END_S = 20


def catalogue(args, kind=""):
    """The cases by name; `kind` is empty, "pairs" or "healthy"."""
    listed = subprocess.run([args.java, "-cp", args.lab, MAIN, f"--list-{kind}" if kind else "--list"], capture_output=True, text=True)
    if listed.returncode != 0:
        sys.exit(f"the lab's catalogue cannot be read: {listed.stderr.strip()[:300]}")
    return {c["case"]: c for c in map(json.loads, listed.stdout.splitlines())}


def end(process):
    """Ends a process of ours, and only it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


class Service:
    """A case of the catalogue that listens; ended with the block, and only it. Its helpers end with it.

    `lifts` are planted parameters and the factors by which they are changed.
    """

    def __init__(self, args, case, seed=1, lifts=()):
        more = [word for name, factor in lifts for word in ("--lift", f"{name}={factor}")]
        self.command = [args.java, *case["jvmArgs"], "-cp", args.lab, MAIN, "--case", case["case"], "--seed", str(seed), "--parent", str(os.getpid()), *more]

    def __enter__(self):
        with tempfile.TemporaryFile("w+") as errors:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=errors, text=True)
            first = queue.Queue()
            threading.Thread(target=lambda: first.put(self.process.stdout.readline()), daemon=True).start()
            try:
                line = first.get(timeout=START_S)
            except queue.Empty:
                line = ""
            except BaseException:
                end(self.process)
                raise
            if not line.startswith("listening on "):
                end(self.process)
                errors.seek(0)
                raise RuntimeError(f"did not start: {' '.join(self.command)}\n{errors.read()[:1000]}")
        self.port = int(line.split()[-1])
        self.url = f"http://127.0.0.1:{self.port}/"
        return self

    def __exit__(self, *_):
        end(self.process)
