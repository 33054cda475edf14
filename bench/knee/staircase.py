#!/usr/bin/env python3
"""Compares `jdyno run --goal` with an exhaustive staircase of the same service.

Services that nobody of this project wrote: nginx (a file, compressed on the fly), the JDK's jwebserver (a directory
listing), Python's http.server (the same), or any other by --command and --url. Works in pieces, so that each fits
into a quiet window of a shared machine, and so that a machine that drifts drifts under both:

    staircase.py --jdyno "java -jar jdyno.jar" --out DIR stairs SERVICE [--rates 200,210,220] [--seconds 25]
    staircase.py --jdyno ...                  --out DIR goal   SERVICE [--start RATE] [--budget 2m]
    staircase.py --jdyno ...                  --out DIR stairs SERVICE
    staircase.py --jdyno ...                  --out DIR goal   boot --command "java -jar boot.jar" --url http://127.0.0.1:8080/ --limit p99:50
    staircase.py --out DIR report

Without --rates `stairs` climbs in steps of 5 % from 60 % of the throughput of 64 users in a closed loop (looked up once)
until two steps in a row have failed. It appends to DIR/SERVICE.stairs; several visits to a rate count together, by the
geometric mean of their quantiles; `report` prints the table from what is there.
"""
import argparse, json, math, os, pathlib, random, resource, shlex, shutil, signal, socket, subprocess, sys, tempfile, time, urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from processes import family

GOALS = {"nginx": ("p99", 20), "jwebserver": ("p99", 100), "python": ("p99", 100)}
QUIET = 0.03  # a step beside which others took more of the machine says nothing of the service
PORT = {"nginx": 27501, "jwebserver": 27502, "python": 27503}


def page(folder):
    """A text of 10 kB that compresses about as a page of HTML does, and 200 files to list."""
    words = random.Random(7)
    (folder / "page.html").write_text(" ".join(f"<p>{words.randrange(10**6)}</p>" for _ in range(900))[:10_000])
    listing = folder / "files"
    listing.mkdir()
    for i in range(200):
        (listing / f"file-{i:03}.txt").write_text("x" * i)


def limit(text):
    """As `jdyno load` prints quantiles, these are all there are."""
    quantile, _, ms = text.partition(":")
    if quantile not in ("p50", "p90", "p99", "p999") or not float(ms) > 0:
        raise ValueError(text)
    return text


def limit_of(args, service):
    """(quantile, milliseconds) of the goal of a service, kept beside its result for the report."""
    file = args.out / f"{service}.limit"
    if args.limit:
        file.write_text(args.limit)
    if file.exists():
        quantile, ms = file.read_text().split(":")
        return quantile, float(ms)
    return GOALS[service]


def foreign(args):
    """A service given on the command line; a JVM when its command is a `java`."""
    command = shlex.split(args.command)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    at = urllib.parse.urlsplit(args.url)
    await_port(process, at.hostname, at.port)
    return process, (process.pid if command[0].endswith("java") else None), args.url, [w for h in args.header for w in ("-H", h)]


def await_port(process, host, port):
    for _ in range(300):
        with socket.socket() as s:
            if s.connect_ex((host, port)) == 0:
                return
        time.sleep(0.1)
    process.kill()
    raise SystemExit(f"nothing listens on {host}:{port}")


def start(args, folder):
    """Returns (process, pid of the JVM or None, URL, options of the load)."""
    service = args.service
    if args.command:
        return foreign(args)
    port = PORT[service]
    if service == "nginx":
        (folder / "nginx.conf").write_text(
            f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;"
            "events { worker_connections 2048; }"
            f"http {{ access_log off; gzip on; gzip_comp_level 9; gzip_types text/html; client_body_temp_path {folder}/b;"
            f" proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;"
            f" server {{ listen 127.0.0.1:{port}; root {folder}; keepalive_requests 100000000; }} }}")
        command = ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        url, header = f"http://127.0.0.1:{port}/page.html", ["-H", "Accept-Encoding: gzip"]
    elif service == "jwebserver":
        java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/java"
        command = [str(java), "-Xmx256m", "-m", "jdk.httpserver", "-p", str(port), "-d", str(folder), "-o", "none"]
        url, header = f"http://127.0.0.1:{port}/files/", []
    else:
        command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--protocol", "HTTP/1.1", "-d", str(folder)]
        url, header = f"http://127.0.0.1:{port}/files/", []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    await_port(process, "127.0.0.1", port)
    return process, (process.pid if service == "jwebserver" else None), url, header


def jdyno(args, words):
    done = subprocess.run(args.jdyno.split() + words, stdout=subprocess.PIPE, text=True)
    if not done.stdout.strip().startswith("{"):
        raise SystemExit(f"jdyno {' '.join(words)} gave no JSON (exit {done.returncode})")
    return json.loads(done.stdout)


def goal(args, url, header, pid):
    quantile, limit = limit_of(args, args.service)
    out = args.out / f"{args.service}{'-daily' if args.start else ''}"
    words = ["run", "--url", url, *header, "--goal", f"{quantile}<{limit:g}ms", "--budget", args.budget, "--max-concurrency", "64",
             "--json", "--out", str(out), *(["--pid", str(pid)] if pid else ["--no-target"])]
    if args.start:
        words += ["--start", args.start]
    g = jdyno(args, words)["goal"]
    print(json.dumps({k: g[k] for k in ("goodPerS", "badPerS", "estimatePerS", "loadSeconds", "reason", "says")}))


def climb(args, url, header):
    """The rates of the staircase: those given, or 5 % steps from a share of saturation. Warms the service up as well, unless a search just did."""
    known = args.out / f"{args.service}.saturation"
    if args.what != "goal+stairs" or not known.exists():
        warm_up(args, url, header, known)
    if args.rates:
        return [float(r) for r in args.rates.split(",")]
    return [round(args.first * float(known.read_text()) * 1.05**i, 1) for i in range(16)]


def warm_up(args, url, header, known):
    closed = jdyno(args, ["load", url, *header, "-c", "64", "--warmup", "15s", "-d", "5s", "--json"])
    alone = jdyno(args, ["load", url, *header, "-c", "1", "-d", "3s", "--json"])
    print(json.dumps({"users": 64, "qps": closed["qps"], "oneUserMs": alone["rtMs"]}), flush=True)
    if not known.exists():
        known.write_text(str(closed["qps"]))


class OtherWork:
    """CPU that neither the service nor the load generator took, as a share of the machine, since it was made.

    Without this a neighbour's build is taken for the service's knee. Steal counts: it is somebody else's too."""

    def __init__(self, service):
        self.service = service
        self.began = self.seen()

    def seen(self):
        ticks = os.sysconf("SC_CLK_TCK")
        cpu = [int(t) for t in open("/proc/stat").readline().split()[1:9]]
        own = resource.getrusage(resource.RUSAGE_CHILDREN)  # load generators that have ended
        took = own.ru_utime + own.ru_stime
        for pid in family(self.service):
            stat = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
            took += (int(stat[11]) + int(stat[12])) / ticks
        everything = sum(cpu) / ticks
        idle = (cpu[3] + cpu[4]) / ticks
        return everything, everything - idle - took

    def share(self):
        everything, others = (now - then for now, then in zip(self.seen(), self.began))
        return others / everything


def stairs(args, url, header, service):
    quantile, limit = limit_of(args, args.service)
    file = args.out / f"{args.service}.stairs"
    failed = 0
    visit = time.strftime("%Y-%m-%dT%H:%M")
    until = args.began + args.at_most
    for rate in climb(args, url, header):
        if time.monotonic() + args.seconds + 5 > until:
            print(f"out of time before {rate}/s")
            return
        beside = OtherWork(service)
        r = jdyno(args, ["load", url, *header, "-c", "64", "-r", str(rate), "--arrivals", "poisson",
                         "--warmup", "3s", "-d", f"{args.seconds}s", "--json"])
        step = {"visit": visit, "rate": rate, "seconds": args.seconds, "rtMs": r["rtMs"][quantile], "errors": r["errors"],
                "pass": r["rtMs"][quantile] < limit and r["errors"] == 0, "others": round(beside.share(), 3)}
        with open(file, "a") as f:
            f.write(json.dumps(step) + "\n")
        print(json.dumps(step), flush=True)
        failed = 0 if step["pass"] else failed + 1
        if failed == 2 and not args.rates:
            return


def together(steps, limit):
    """One step for each rate: the geometric mean of the quantiles of its visits."""
    visits = {}
    for s in steps:
        visits.setdefault(s["rate"], []).append(s)
    for rate, seen in visits.items():
        rt = math.exp(sum(math.log(s["rtMs"]) for s in seen) / len(seen))
        yield {"rate": rate, "rtMs": rt, "pass": rt < limit and not any(s["errors"] for s in seen)}


def crossing(steps, limit):
    """Last rate under the first that fails, that rate, and where ln(RT) crosses the limit between them."""
    steps = sorted(together(steps, limit), key=lambda s: s["rate"])
    below = None
    for s in steps:
        if not s["pass"]:
            if below is None:
                return None, s["rate"], s["rate"]
            a, b = math.log(below["rtMs"]), math.log(s["rtMs"])
            return below["rate"], s["rate"], below["rate"] + (s["rate"] - below["rate"]) * (math.log(limit) - a) / (b - a)
        below = s
    return below["rate"] if below else None, None, below["rate"] if below else None


def report(args):
    print("| service | goal | bracket, 1/s | estimate | load, s | staircase: last good, first bad | its crossing | load, s | bracket holds it | share of its load |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for ladder in sorted(args.out.glob("*.stairs")):
        service = ladder.stem
        quantile, limit = limit_of(args, service)
        result = args.out / service / "result.json"
        g = json.loads(result.read_text())["goal"]
        steps = [json.loads(l) for l in ladder.read_text().splitlines()]
        good, bad, at = crossing([s for s in steps if s.get("others", 0) <= QUIET], limit)
        spent = sum(s["seconds"] for s in steps)
        lo, hi = g["goodPerS"] or 0, g["badPerS"] or math.inf
        print(f"| {service} | {quantile}<{limit:g}ms | {lo:.4g} – {hi:.4g} | {g['estimatePerS']:.4g} | {g['loadSeconds']:.0f} |"
              f" {good} – {bad} | {at:.4g} | {spent:.0f} | {'yes' if lo <= at <= hi else 'no'} | {g['loadSeconds'] / spent:.2f} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jdyno", default="./jdyno")
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("what", choices=["goal", "stairs", "goal+stairs", "report"])
    p.add_argument("service", nargs="?", help=", ".join(GOALS) + ", or any name with --command and --url")
    p.add_argument("--command")
    p.add_argument("--url")
    p.add_argument("--header", action="append", default=[], help="of each request, with --url: 'Accept-Encoding: gzip'")
    p.add_argument("--limit", type=limit, help="of the goal: p99:50; quantiles are p50, p90, p99 and p999")
    p.add_argument("--start")
    p.add_argument("--budget", default="2m")
    p.add_argument("--rates", default="")
    p.add_argument("--seconds", type=int, default=25)
    p.add_argument("--first", type=float, default=0.6, help="where `stairs` begins, as a share of the closed loop's throughput")
    p.add_argument("--at-most", type=float, default=math.inf, help="seconds that one call may take: no step begins that would not end in them")
    args = p.parse_args()
    args.began = time.monotonic()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.what == "report":
        return report(args)
    if args.service not in GOALS and not (args.command and args.url):
        p.error("SERVICE is one of " + ", ".join(GOALS) + ", or give --command and --url")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the service as well
    folder = pathlib.Path(tempfile.mkdtemp(prefix="staircase-"))
    process = None
    folder.chmod(0o755)  # nginx's worker is another user
    try:
        page(folder)
        process, pid, url, header = start(args, folder)
        if args.what.startswith("goal"):
            goal(args, url, header, pid)
        if args.what.endswith("stairs"):
            stairs(args, url, header, process.pid)
    finally:
        if process:
            process.terminate()
            process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
