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
import argparse, json, math, os, pathlib, random, shlex, shutil, socket, subprocess, sys, tempfile, time, urllib.parse

GOALS = {"nginx": ("p99", 20), "jwebserver": ("p99", 100), "python": ("p99", 100)}
PORT = {"nginx": 27501, "jwebserver": 27502, "python": 27503}


def page(folder):
    """A text of 10 kB that compresses about as a page of HTML does, and 200 files to list."""
    words = random.Random(7)
    (folder / "page.html").write_text(" ".join(f"<p>{words.randrange(10**6)}</p>" for _ in range(900))[:10_000])
    listing = folder / "files"
    listing.mkdir()
    for i in range(200):
        (listing / f"file-{i:03}.txt").write_text("x" * i)


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
    """The rates of the staircase: those given, or 5 % steps from 60 % of saturation. Warms the service up as well."""
    closed = jdyno(args, ["load", url, *header, "-c", "64", "--warmup", "15s", "-d", "5s", "--json"])
    if args.rates:
        return [float(r) for r in args.rates.split(",")]
    known = args.out / f"{args.service}.saturation"
    if not known.exists():
        known.write_text(str(closed["qps"]))
    return [round(0.6 * float(known.read_text()) * 1.05**i, 1) for i in range(14)]


def stairs(args, url, header):
    quantile, limit = limit_of(args, args.service)
    file = args.out / f"{args.service}.stairs"
    failed = 0
    for rate in climb(args, url, header):
        r = jdyno(args, ["load", url, *header, "-c", "64", "-r", str(rate), "--arrivals", "poisson",
                         "--warmup", "3s", "-d", f"{args.seconds}s", "--json"])
        step = {"rate": rate, "seconds": args.seconds, "rtMs": r["rtMs"][quantile], "errors": r["errors"],
                "pass": r["rtMs"][quantile] < limit and r["errors"] == 0}
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
        good, bad, at = crossing(steps, limit)
        spent = sum(s["seconds"] for s in steps)
        lo, hi = g["goodPerS"] or 0, g["badPerS"] or math.inf
        print(f"| {service} | {quantile}<{limit:g}ms | {lo:.4g} – {hi:.4g} | {g['estimatePerS']:.4g} | {g['loadSeconds']:.0f} |"
              f" {good} – {bad} | {at:.4g} | {spent:.0f} | {'yes' if lo <= at <= hi else 'no'} | {g['loadSeconds'] / spent:.2f} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jdyno", default="./jdyno")
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("what", choices=["goal", "stairs", "report"])
    p.add_argument("service", nargs="?", help=", ".join(GOALS) + ", or any name with --command and --url")
    p.add_argument("--command")
    p.add_argument("--url")
    p.add_argument("--header", action="append", default=[], help="of each request, with --url: 'Accept-Encoding: gzip'")
    p.add_argument("--limit", help="of the goal: p99:50")
    p.add_argument("--start")
    p.add_argument("--budget", default="2m")
    p.add_argument("--rates", default="")
    p.add_argument("--seconds", type=int, default=25)
    args = p.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.what == "report":
        return report(args)
    if args.service not in GOALS and not (args.command and args.url):
        p.error("SERVICE is one of " + ", ".join(GOALS) + ", or give --command and --url")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="staircase-"))
    process = None
    folder.chmod(0o755)  # nginx's worker is another user
    try:
        page(folder)
        process, pid, url, header = start(args, folder)
        goal(args, url, header, pid) if args.what == "goal" else stairs(args, url, header)
    finally:
        if process:
            process.terminate()
            process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
