#!/usr/bin/env python3
"""Checks entries of the advice file against real services, each with one fault.

Each service of services/ is one Java file. It is started, run at one load, and its result says which recommendations
it has, and which one leads:

    advice.py --jdyno ./jdyno --out DIR measure [SERVICE ...]
    advice.py --out DIR report [--write]

Without names `measure` takes all services of ENTRIES. Each has a folder DIR/SERVICE; one that is there is not measured again.
Libraries are those that the build has fetched (--libraries ~/.m2/repository); a service whose libraries are missing is left out.
"""
import argparse, json, os, pathlib, re, shlex, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent

# service: the entry of advice.txt that is its fault; entries that say the same of it, if there are any
ENTRIES = {
    "LoggingCallerData": ["logging-caller-data"],
    "LoggingStackTraces": ["logging-stack-traces"],
    "LoggingJulCaller": ["logging-jul-caller"],
    "PrintLess": ["print-less"],
    "StackTraceAsked": ["stack-trace-asked"],
    "StackWalkLess": ["stack-walk-less"],
    "ThreadDumpsLess": ["thread-dumps-less"],
    "MethodsKeep": ["methods-keep"],
    "ReflectiveObjects": ["reflective-objects"],
    "BeanCopies": ["bean-copies"],
    "ProxiesKeep": ["proxies-keep"],
    "ServiceLoaderKeep": ["service-loader-keep"],
    "ClassMissesKeep": ["class-misses-keep"],
    "ResourcesKeep": ["resources-keep"],
    "BundlesKeep": ["bundles-keep"],
    "JarOpen": ["jar-open"],
    "FileChecks": ["file-checks"],
    "FileKeep": ["file-keep"],
    "BytesOneByOne": ["bytes-one-by-one"],
    "ProcessStart": ["process-start"],
    "PatternKeep": ["pattern-keep"],
    "RegexBacktracks": ["regex-backtracks"],
    "FormatLess": ["format-less"],
    "DateFormatKeep": ["date-format-keep"],
    "DateFormatterKeep": ["date-formatter-keep"],
    "NumberFormatKeep": ["number-format-keep"],
    "CalendarToTime": ["calendar-to-time"],
    "CollatorKeys": ["collator-keys"],
    "ScannerLess": ["scanner-less"],
    "InternLess": ["intern-less"],
    "NumbersChecked": ["numbers-checked"],
    "DatesChecked": ["dates-checked"],
    "FilesChecked": ["files-checked"],
    "LinkedListIndex": ["linked-list-index"],
    "ListSearch": ["list-search"],
    "ListHead": ["list-head"],
    "CopyOnWrite": ["copy-on-write"],
    "HashCodes": ["hash-code"],
    "SynchronizedMap": ["synchronized-map"],
    "SizeCounts": ["size-counts"],
    "ComputeIfAbsent": ["compute-if-absent"],
    "RandomShared": ["random-shared"],
    "SortLess": ["sort-less"],
    "ParallelStream": ["parallel-stream"],
    "BufferSize": ["buffer-size", "buffer-grows"],
    "BuilderGrows": ["builder-grows"],
    "JavaSerialisation": ["java-serialisation"],
    "GzipLevel": ["gzip-level"],
    "ZipObjects": ["zip-objects"],
    "PasswordCost": ["password-cost"],
    "ProvidersKeep": ["providers-keep"],
    "KeySigning": ["key-signing"],
    "KeyPairEach": ["key-pair-keep"],
    "RandomBytes": ["random-bytes"],
    "UuidRandom": ["uuid-random"],
    "TlsContextKeep": ["tls-context-keep"],
    "UrlAsUri": ["url-as-uri"],
    "ReverseDns": ["reverse-dns"],
    "ConnectionEach": ["connection-each"],
    "PoolEach": ["pool-each"],
    "HttpClientKeep": ["http-client-keep"],
    "MapperKeep": ["mapper-keep"],
    "JsonTwice": ["json-twice"],
    "GsonKeep": ["gson-keep"],
    "YamlKeep": ["yaml-keep"],
    "XmlFactoryKeep": ["xml-factory-keep"],
    "StylesheetKeep": ["stylesheet-keep"],
    "ScriptKeep": ["script-keep"],
    "TemplateKeep": ["template-keep"],
    "SpelKeep": ["spel-keep"],
    "BeansPrototype": ["beans-prototype"],
    "CacheMaintenance": ["cache-maintenance"],
    "CacheLoad": ["cache-load"],
    "AsyncExecutor": ["async-executor"],
    "HttpServerExecutor": ["http-server-executor"],
}

# Recommendations that change other processes, and not the service. They come first on a machine that others use.
OTHERS = {"neighbour-move"}

LIBRARIES = [
    "ch/qos/logback/logback-classic", "ch/qos/logback/logback-core", "org/slf4j/slf4j-api", "org/apache/commons/commons-lang3",
    "org/springframework/spring-core", "org/springframework/spring-beans", "org/springframework/spring-context",
    "org/springframework/spring-aop", "org/springframework/spring-expression", "commons-logging/commons-logging", "org/jspecify/jspecify",
    "com/h2database/h2", "com/zaxxer/HikariCP", "org/apache/httpcomponents/client5/httpclient5",
    "org/apache/httpcomponents/core5/httpcore5", "org/apache/httpcomponents/core5/httpcore5-h2", "tools/jackson/core/jackson-databind",
    "tools/jackson/core/jackson-core", "com/fasterxml/jackson/core/jackson-annotations", "com/google/code/gson/gson",
    "org/yaml/snakeyaml", "org/apache/groovy/groovy", "org/freemarker/freemarker", "com/github/ben-manes/caffeine/caffeine",
]


def newest(repository, artifact):
    """The jar of the newest version that is there, else None."""
    name = artifact.rsplit("/", 1)[-1]
    jars = [j for j in (repository / artifact).glob(f"*/{name}-*.jar") if j.name == f"{name}-{j.parent.name}.jar"]
    return max(jars, key=lambda j: [int(n) for n in re.findall(r"\d+", j.parent.name)], default=None)


def compiled(args):
    """Class path of the services, and the names of those that could be compiled."""
    classes = args.out / "classes"
    classes.mkdir(parents=True, exist_ok=True)
    jars = [j for j in (newest(args.libraries, a) for a in LIBRARIES) if j]
    path = os.pathsep.join([str(classes), *map(str, jars)])
    compiler = str(pathlib.Path(args.java).with_name("javac"))
    def javac(names):
        files = [str(HERE / "services" / f"{n}.java") for n in names]
        return subprocess.run([compiler, "-nowarn", "-proc:none", "-implicit:none", "-d", str(classes), "-cp", path, *files], capture_output=True, text=True)

    names = ["Serve", *(args.what or ENTRIES)]
    if javac(names).returncode == 0:
        return path, names
    javac(["Serve"]).check_returncode()
    names = [n for n in names if javac([n]).returncode == 0]
    return path, names


class Service:
    """A service that listens; ended with the block, and only it."""

    def __init__(self, args, path, name):
        self.command = [args.java, "-Xmx256m", "-cp", path, name]
        self.output = args.out / f"{name}.log"

    def __enter__(self):
        with self.output.open("w") as out:
            self.process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.STDOUT)
        for _ in range(200):
            listening = re.match(r"(?:.*\n)*?listening on (\d+)\n", self.output.read_text())
            if listening:
                self.port = int(listening[1])
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"did not start: {self.output.read_text()[:300]}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.write_text(self.output.read_text(errors="replace")[:10_000])  # some services print each request


def run(args, service, name):
    folder = args.out / name
    command = [*shlex.split(args.jdyno), "run", f"http://127.0.0.1:{service.port}/", "--pid", str(service.process.pid), "--concurrency",
               str(args.concurrency), "--round", args.round, "--warmup", args.warmup, "--no-store", "--no-live-count", "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    result = folder / "result.json"
    if not result.exists():
        raise RuntimeError(f"no result: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return json.loads(result.read_text())


def judged(name, result):
    """What the result of a service says: whether it has the entry, and whether that comes first of what changes the service."""
    wanted = ENTRIES[name]
    of_service = [p for p in result["prescriptions"] if p["id"] not in OTHERS]
    ids = [p["id"] for p in of_service]
    says = next((p["says"] for p in of_service if p["id"] in wanted), "")
    share = re.search(r"(\d+) % of", says)
    return {"service": name, "entry": next((i for i in ids if i in wanted), wanted[0]), "found": bool(says), "leads": ids[:1] != [] and ids[0] in wanted,
            "first": ids[:1], "share": int(share[1]) if share else None, "verdict": result["verdict"]["bottleneck"],
            "valid": result["validity"]["ok"]}


def measure(args):
    args.out.mkdir(parents=True, exist_ok=True)
    unknown = [n for n in args.what if n not in ENTRIES]
    if unknown:
        sys.exit(f"no service: {' '.join(unknown)}; those are {' '.join(ENTRIES)}")
    path, names = compiled(args)
    for name in args.what or ENTRIES:
        if name not in names or (args.out / name / "result.json").exists():
            continue
        try:
            with Service(args, path, name) as service:
                print(json.dumps(judged(name, run(args, service, name))), flush=True)
        except RuntimeError as failed:
            print(f"{name}: {failed}", file=sys.stderr)


def table(out):
    results = {n: out / n / "result.json" for n in ENTRIES}
    rows = [judged(n, json.loads(f.read_text())) for n, f in results.items() if f.exists()]
    yield "| entry | service | found | leads | share that was seen | first, where another one leads | run valid |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for r in rows:
        other = "" if r["leads"] else ", ".join(f"`{i}`" for i in r["first"]) or "none"
        share = f"{r['share']} %" if r["share"] is not None else ""
        yield f"| `{r['entry']}` | {r['service']} | {'yes' if r['found'] else 'no'} | {'yes' if r['leads'] else 'no'} | {share} | {other} | {'yes' if r['valid'] else 'no'} |"
    for name, some in ("all", rows), ("valid runs", [r for r in rows if r["valid"]]):
        yield f"| {name} | {len(some)} services | {sum(r['found'] for r in some)} of {len(some)} | {sum(r['leads'] for r in some)} of {len(some)} | | | |"


def put(page, lines):
    """Writes the lines between the markers of a page."""
    text = page.read_text()
    begin, end = text.index("<!-- advice -->"), text.index("<!-- /advice -->")
    page.write_text(text[:begin] + "<!-- advice -->\n" + "\n".join(lines) + "\n" + text[end:])


def report(args):
    lines = list(table(args.out))
    print("\n".join(lines))
    if args.write:
        put(HERE / "README.md", lines)
        totals = [[cell.strip() for cell in line.split("|")][1:5] for line in lines[-2:]]
        put(HERE.parents[1] / "docs/truth.md", ["| runs | services | entry found | entry leads |", "| --- | --- | --- | --- |",
                                                *("| " + " | ".join(cells) + " |" for cells in totals)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdyno", default="jdyno", help="how the tool is started")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--libraries", type=pathlib.Path, default=pathlib.Path.home() / ".m2/repository")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--round", default="2s")
    parser.add_argument("--warmup", default="3s")
    home = os.environ.get("JAVA_HOME")
    parser.add_argument("--java", default=f"{home}/bin/java" if home else "java")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("measure")
    verb.add_argument("what", nargs="*", metavar="SERVICE")
    verb.set_defaults(does=measure)
    verb = verbs.add_parser("report")
    verb.add_argument("--write", action="store_true", help="put the table into README.md, and its totals into docs/truth.md")
    verb.set_defaults(does=report)
    args = parser.parse_args()
    args.does(args)


if __name__ == "__main__":
    main()
