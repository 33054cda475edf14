#!/usr/bin/env python3
"""The same service against itself, in every cell of services × JDKs × (alone, beside a neighbour): how often does a method
call it different?

    ./mvnw -DskipTests package
    bench/compare/cells.py --out cells.csv                     3 comparisons of each cell (60), about 13 hours; again: goes on
    bench/compare/cells.py --out cells.csv --only lab:25:alone,petclinic:17:neighbour --rounds 1
    bench/compare/cells.py --out cells.csv --table             the table alone, from what is there
    bench/compare/cells.py --out cells.csv --table --write     the same into docs/truth.md

Services: lab (thread per request, CPU), template (compiled templates), shop (Spring Boot, examples/shop), petclinic (Spring
Boot, Thymeleaf, H2), micronaut (Netty, JSON). A jar that is missing is built. A neighbour keeps one core busy for half of the
time. Each row of the CSV is one comparison of one cell, written when it is finished:
  jdyno      jdyno compare with its defaults but for --primary cpuMsPerRequest: better and worse are claims,
  benchstat  Mann-Whitney's test over all blocks of that comparison, p < 0.05, as Go's benchstat does,
  naive      two runs of wrk directly after each other, each on a fresh start that was warmed up: throughput differs by 3 % or more,
  threshold  the same two runs with a rule as k6 and ghz check it: p99 at most 10 % and throughput at least 95 % of the first run's."""
import argparse, collections, contextlib, csv, glob, json, math, os, re, shlex, signal, socket, subprocess, sys, tempfile, time, urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import verdicts

ROOT = verdicts.ROOT
PRIMARY = "cpuMsPerRequest"
NEIGHBOUR = "import time\nwhile True:\n    e = time.time() + 0.05\n    while time.time() < e: pass\n    time.sleep(0.05)"
FIELDS = ["service", "jdk", "beside", "round", "verdict", "ratio", "lo", "hi", "starts", "seconds", "benchstat", "wrk_a_qps", "wrk_b_qps",
          "wrk_a_p99_ms", "wrk_b_p99_ms", "naive", "threshold"]
MIN_EFFECT, MORE_P99, LESS_QPS = 0.03, 1.10, 0.95
NORMAL_95 = 1.96

# name: jar, pom that builds it, arguments of java, path
SERVICES = {
    "lab": ("lab/target/jdyno-lab.jar", None, "-Xmx256m -cp {jar} dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {port}", "/perf?cpu=5&io=0"),
    "template": ("lab/target/jdyno-lab.jar", None, "-Xmx256m -cp {jar} dev.jdyno.lab.page.Pages --port {port}", "/template?page=0&engine=compiled"),
    "shop": ("examples/shop/target/shop.jar", "examples/shop/pom.xml", "-Xmx256m -jar {jar} --server.port={port}", "/cart?id=7"),
    "petclinic": ("bench/tune/petclinic/target/petclinic.jar", "bench/tune/petclinic/pom.xml",
                  "-Xmx256m -jar {jar} --server.port={port} --logging.file.name={logs}/{port}.log", "/owners?lastName=Davis"),
    "micronaut": ("bench/compare/micronaut/target/micronaut-page.jar", "bench/compare/micronaut/pom.xml",
                  "-Xmx256m -Dmicronaut.server.port={port} -jar {jar}", "/items"),
}


def jdk(number, given):
    """The folder of a JDK: as given, or the first of the usual ones."""
    if given:
        return given
    found = sorted(glob.glob(f"/usr/lib/jvm/*{number}*/bin/java")) + sorted(glob.glob(os.path.expanduser(f"~/.sdkman/candidates/java/{number}*/bin/java")))
    if not found:
        sys.exit(f"no JDK {number}: give --jdk{number} FOLDER")
    return os.path.dirname(os.path.dirname(found[0]))


@contextlib.contextmanager
def neighbour(wanted):
    process = subprocess.Popen([sys.executable, "-c", NEIGHBOUR]) if wanted else None
    try:
        yield
    finally:
        if process:
            process.kill()
            process.wait()


def jar(given, name):
    """Of this checkout, or of the one that --built names."""
    own = os.path.join(ROOT, SERVICES[name][0])
    other = os.path.join(given.built, SERVICES[name][0])
    return other if not os.path.exists(own) and os.path.exists(other) else own


def command(given, name, java, port, logs):
    text = SERVICES[name][2].replace("{jar}", shlex.quote(jar(given, name))).replace("{port}", port).replace("{logs}", shlex.quote(logs))
    return f"{shlex.quote(os.path.join(java, 'bin', 'java'))} {text}"


def compared(given, name, java, folder):
    plan = os.path.join(folder, name + ".yaml")
    with open(plan, "w") as file:
        # JSON is YAML, too
        json.dump({"url": "http://127.0.0.1:{port}" + SERVICES[name][3], "target": {"launch": command(given, name, java, "{port}", folder)},
                   "limits": {"start": "3m"}}, file)
    said = subprocess.run(
        [given.jdyno, "compare", plan, plan, "--json", "--quiet", "--no-store", "--no-look", "--primary", PRIMARY, "--budget", given.budget, "--block", given.block,
         "--warmup", given.warmup, "--out", os.path.join(folder, "compare")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not said.stdout:
        raise RuntimeError(f"jdyno compare: exit code {said.returncode}: {said.stderr.strip()[:400]}")
    return json.loads(said.stdout)


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def answers(url, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(url, timeout=5) as reply:
                if reply.status == 200:
                    return True
        time.sleep(0.2)
    return False


MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


def wrk(given, name, java, folder):
    """Requests per second and p99 in ms of one fresh start, after a warm-up."""
    port = str(free_port())
    url = f"http://127.0.0.1:{port}{SERVICES[name][3]}"
    with open(os.path.join(folder, f"wrk-{port}.log"), "w") as log:
        service = subprocess.Popen(["sh", "-c", "exec " + command(given, name, java, port, folder)], stdout=log, stderr=log, start_new_session=True)
    try:
        if not answers(url, 180):
            raise RuntimeError(f"{name} does not answer at {url}: see {log.name}")
        load = [given.wrk, "-t1", f"-c{given.connections}", "--latency"]
        subprocess.run(load + [f"-d{given.wrk_warmup}s", url], stdout=subprocess.DEVNULL, check=True)
        said = subprocess.run(load + [f"-d{given.wrk_seconds}s", url], stdout=subprocess.PIPE, text=True, check=True).stdout
    finally:
        os.killpg(service.pid, signal.SIGKILL)
        service.wait()
    qps = float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))
    number, unit = re.search(r"\s99%\s+([\d.]+)(us|ms|s|m)\b", said).groups()
    return qps, float(number) * MS[unit]


def measured(given, name, number, beside, round_number):
    java = given.jdks[number]
    with tempfile.TemporaryDirectory() as folder, neighbour(beside == "neighbour"):
        result = compared(given, name, java, folder)
        a, b = wrk(given, name, java, folder), wrk(given, name, java, folder)
    metric = verdicts.figure(result, PRIMARY)
    lo, hi = metric["ci95"] or (float("nan"), float("nan"))
    return {
        "service": name, "jdk": number, "beside": beside, "round": round_number, "verdict": result["verdict"],
        "ratio": f"{metric['ratio']:.4f}", "lo": f"{lo:.4f}", "hi": f"{hi:.4f}", "starts": result["starts"], "seconds": f"{result['seconds']:.0f}",
        "benchstat": int(verdicts.benchstat(metric)), "wrk_a_qps": f"{a[0]:.1f}", "wrk_b_qps": f"{b[0]:.1f}", "wrk_a_p99_ms": f"{a[1]:.2f}",
        "wrk_b_p99_ms": f"{b[1]:.2f}", "naive": int(abs(math.log(b[0] / a[0])) >= math.log1p(MIN_EFFECT)),
        "threshold": int(b[1] > MORE_P99 * a[1] or b[0] < LESS_QPS * a[0]),
    }


def rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        # a kill can leave half a line at the end
        return [row for row in csv.DictReader(file) if row.get("threshold") in ("0", "1")]


def append(path, row):
    new = not os.path.exists(path) or os.path.getsize(path) == 0
    with open(path, "a+", newline="") as file:
        if not new:
            file.seek(file.tell() - 1)
            if file.read(1) != "\n":
                file.write("\n")
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)
        file.flush()
        os.fsync(file.fileno())


def rate(count, all_of):
    """`3 (1 to 8 %)`: Wilson's interval."""
    z2, p = NORMAL_95 ** 2, count / all_of
    middle = (p + z2 / (2 * all_of)) / (1 + z2 / all_of)
    half = NORMAL_95 / (1 + z2 / all_of) * math.sqrt(p * (1 - p) / all_of + z2 / (4 * all_of ** 2))
    return f"{count} ({100 * max(0, middle - half):.0f} to {100 * (middle + half):.0f} %)"


def table(seen):
    lines = ["| service | JDK | beside | comparisons | jdyno: called different | not decided | benchstat | two wrk runs | thresholds | seconds, median |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    cells = collections.defaultdict(list)
    for row in seen:
        cells[row["service"], row["jdk"], row["beside"]].append(row)
    for (service, number, beside), of in sorted(cells.items()) + [(("**all**", "", ""), seen)]:
        if not of:
            continue
        seconds = sorted(float(r["seconds"]) for r in of)
        whole = service == "**all**"
        count = lambda n: rate(n, len(of)) if whole else str(n)
        lines.append(
            f"| {service} | {number} | {beside} | {len(of)} | {count(sum(r['verdict'] in ('better', 'worse') for r in of))} "
            f"| {sum(r['verdict'] == 'inconclusive' for r in of)} | {count(sum(r['benchstat'] == '1' for r in of))} "
            f"| {count(sum(r['naive'] == '1' for r in of))} | {count(sum(r['threshold'] == '1' for r in of))} | {seconds[len(seconds) // 2]:.0f} |")
    return "\n".join(lines) + "\n"


def write(text):
    path = os.path.join(ROOT, "docs", "truth.md")
    with open(path) as file:
        page = file.read()
    begin, end = "<!-- cells -->\n", "<!-- /cells -->"
    if begin not in page or end not in page:
        sys.exit(f"{path} has no place for the table ({begin.strip()} … {end})")
    with open(path, "w") as file:
        file.write(page[: page.index(begin) + len(begin)] + text + page[page.index(end):])


def build(given, names):
    for name in names:
        if os.path.exists(jar(given, name)):
            continue
        pom = SERVICES[name][1]
        if pom is None:
            sys.exit(f"{jar(given, name)} is missing: ./mvnw -DskipTests package")
        print("building", jar(given, name), flush=True)
        subprocess.run(["./mvnw", "-q", "-f", pom, "package"], cwd=ROOT, check=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", required=True, help="CSV that gets the rows; what is there is not measured again")
    options.add_argument("--rounds", type=int, default=3, help="comparisons of each cell, interleaved (3)")
    options.add_argument("--only", help="cells SERVICE[:JDK[:alone|neighbour]], several with commas")
    options.add_argument("--budget", default="8m")
    options.add_argument("--block", default="5s")
    options.add_argument("--warmup", default="90s")
    options.add_argument("--connections", type=int, default=8, help="of wrk (8)")
    options.add_argument("--wrk-warmup", type=int, default=30, help="seconds (30)")
    options.add_argument("--wrk-seconds", type=int, default=30, help="seconds that count (30)")
    options.add_argument("--seconds", type=float, default=math.inf, help="begin no comparison after that time")
    options.add_argument("--table", action="store_true", help="print the table and measure nothing")
    options.add_argument("--write", action="store_true", help="with --table: into docs/truth.md")
    options.add_argument("--built", default=ROOT, help="checkout whose jars are taken where this one has none")
    options.add_argument("--jdyno", default=os.path.join(ROOT, "jdyno"))
    options.add_argument("--wrk", default="wrk")
    options.add_argument("--jdk17")
    options.add_argument("--jdk25")
    given = options.parse_args()
    if given.table:
        text = table(rows(given.out))
        print(text, end="")
        return write(text) if given.write else None
    given.jdks = {"17": jdk(17, given.jdk17), "25": jdk(25, given.jdk25)}
    all_cells = [(s, j, b) for s in SERVICES for j in given.jdks for b in ("alone", "neighbour")]
    wanted = [tuple(w.split(":")) for w in given.only.split(",")] if given.only else [()]
    cells = [c for c in all_cells if any(c[: len(w)] == w for w in wanted)]
    if not cells:
        sys.exit(f"no such cell: {given.only}")
    build(given, sorted({c[0] for c in cells}))
    print("machine:", os.uname().release, os.cpu_count(), "cores; JDKs:", given.jdks, flush=True)
    done = {(r["service"], r["jdk"], r["beside"], r["round"]) for r in rows(given.out)}
    began = time.monotonic()
    failed = 0
    for round_number in range(1, given.rounds + 1):
        for cell in cells:
            if (*cell, str(round_number)) in done:
                continue
            if time.monotonic() - began > given.seconds:
                sys.exit("the time is over; the same command goes on")
            try:
                row = measured(given, *cell, round_number)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"{':'.join(cell)} {round_number}: {error}", file=sys.stderr, flush=True)
                continue
            append(given.out, row)
            print(" ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    print(table(rows(given.out)), end="")
    if failed:
        sys.exit(f"{failed} comparisons failed; the same command tries them again")


if __name__ == "__main__":
    main()
