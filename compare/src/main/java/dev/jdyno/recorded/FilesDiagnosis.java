package dev.jdyno.recorded;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SourceFile;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.RequestedCollections;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.Texts;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.jfr.FlightSamples;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.window.RecordedDumps;
import dev.jdyno.recorded.FoundRecords.Flight;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Converts files that were recorded elsewhere to the form of an observed JVM: one round and its
/// thread samples, with the names of all missing sources. So the diagnosis is the same.
public final class FilesDiagnosis {
    /// Contents of the files.
    ///
    /// @param recording one round and its thread samples
    /// @param inFlight mean number of requests in the service; empty without thread samples
    /// @param throughput throughput according to an access log
    /// @param files files with usable contents
    public record Seen(
            Recording recording,
            Optional<Double> inFlight,
            Optional<Throughput> throughput,
            List<SourceFile> files) {
        public Seen {
            files = List.copyOf(files);
        }
    }

    private final FoundRecords found;
    private final DumpSeries series;
    private final RecordedDumps dumps;
    private final Optional<MatchedCpu> threadCpu;
    private final boolean ownCpu;
    private final Optional<TimeSpan> time;
    private final double seconds;
    private final Alignment alignment;
    private final List<Flight> flights;
    private final List<FoundRecords.Collections> gcLogs;
    private final List<String> missing = new ArrayList<>();

    private FilesDiagnosis(Frames frames, FoundRecords found) {
        this.found = found;
        this.series = DumpSeries.of(found);
        found.gcLogs().forEach(g -> series.jvmStart().ifPresent(g.events()::startedAt));
        this.alignment = Alignment.of(found, series);
        this.time = alignment.time();
        this.seconds = alignment.seconds();
        this.flights = alignment.flights();
        this.gcLogs = alignment.gcLogs();
        missing.addAll(alignment.missing());
        this.threadCpu =
                time.or(() -> series.first().map(Alignment::around))
                        .flatMap(t ->
                                MatchedCpu.of(found.threadCpu(), t, series.zone(), series.names()));
        this.ownCpu = series.recorded(frames, Optional.empty()).cpu().isPresent();
        this.dumps = series.recorded(frames, threadCpu.map(MatchedCpu::cpu));
    }

    /// @param given files and folders
    /// @param frames meaning of stack frames
    /// @throws dev.jdyno.measure.text.UserError of kind usage with all mistakes, if no file can be
    ///   used
    public static Seen read(List<Path> given, Frames frames) {
        var problems = new Problems();
        List<GivenFiles.Given> files = GivenFiles.of(given, problems);
        var found = new FoundRecords(frames, problems);
        files.forEach(found::read);
        if (found.isEmpty()) {
            if (problems.isEmpty()) {
                problems.add(
                        "--files",
                        "no flight recording, thread dump or GC log is among the files",
                        "give at least one: jcmd PID Thread.print > dump.txt");
            }
            problems.throwIfAny("nothing can be judged from these files");
        }
        return new FilesDiagnosis(frames, found)
                .seen(problems.list().stream().map(p -> p.where() + ": " + p.what()).toList());
    }

    private Seen seen(List<String> unread) {
        Optional<Throughput> throughput = throughput();
        double qps = throughput.map(Throughput::perS).orElse(0.0);
        Optional<CpuUse> cpu = cpu();
        Optional<SampledThreads> threads =
                series.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                dumps.threads(
                                        qps, cpu.map(CpuUse::availableCores).or(this::processors)));
        Optional<Double> inFlight = threads.map(SampledThreads::requestsFound);
        int concurrency = (int) Math.max(1, Math.round(inFlight.orElse(0.0)));
        Optional<FlightSamples.Places> work = threads.flatMap(t -> work(t.places().pools()));
        Optional<Double> classes = classesLoadedPerS();
        Signals later =
                work.map(FlightSamples.Places::signals)
                        .orElse(Signals.NONE)
                        .and(code())
                        .and(signal(Sign.CLASSES_LOADED_PER_S, classes));
        Map<Place, Double> shares = work.map(FlightSamples.Places::shares).orElse(Map.of());
        List<ThreadSamples> threadSamples =
                threads.map(t -> t.at(concurrency, qps, later, shares)).stream().toList();
        Round round =
                Round.watched(
                        concurrency,
                        seconds,
                        qps,
                        inFlight.orElse(0.0),
                        cpu,
                        counts(threads),
                        this::gc);
        missing.addAll(unread);
        missing.addAll(notJudged());
        missing.addAll(unusedCpu());
        missing.addAll(
                Missing.of(
                        found,
                        series,
                        flights,
                        gcLogs,
                        new Missing.Has(
                                cpu.isPresent(), classes.isPresent(), throughput.isPresent())));
        var recording =
                new Recording(
                        machine(),
                        facts(cpu),
                        Optional.empty(),
                        List.of(round),
                        threadSamples,
                        found.notes().stream().map(n -> new Warning("files", n, false)).toList(),
                        false,
                        Insight.NONE,
                        Optional.empty(),
                        List.of());
        return new Seen(recording, inFlight, throughput, files());
    }

    private List<SourceFile> files() {
        Set<String> used = flights.stream().map(Flight::file).collect(Collectors.toSet());
        gcLogs.forEach(g -> used.add(g.file()));
        used.addAll(series.files());
        found.threadCpu().stream()
                .map(FoundRecords.Cpu::file)
                .filter(this::usesCpuOf)
                .forEach(used::add);
        found.accessLogs().stream().filter(a -> requests(a) > 0).forEach(a -> used.add(a.file()));
        return found.files(series::time).stream()
                .map(f -> f.kind() == SourceFile.Kind.THREAD_CPU ? timed(f) : f)
                .map(f -> used.contains(f.name()) ? f.asUsed() : f)
                .toList();
    }

    /// Returns the file with the times of those of its reports that are inside the diagnosed time.
    /// The date of other reports is unknown.
    private SourceFile timed(SourceFile cpu) {
        Optional<TimeSpan> span =
                threadCpu.filter(c -> c.file().equals(cpu.name())).map(MatchedCpu::span);
        return new SourceFile(
                cpu.name(),
                cpu.kind(),
                span.map(TimeSpan::from),
                span.map(TimeSpan::to),
                cpu.records(),
                false);
    }

    private double requests(FoundRecords.Access log) {
        return time.flatMap(t -> log.times().span().flatMap(t::and))
                .map(log.times()::in)
                .orElse(0.0);
    }

    /// Throughput over all access logs, which may be of several servers, or rotated.
    private Optional<Throughput> throughput() {
        double requests = found.accessLogs().stream().mapToDouble(this::requests).sum();
        return requests > 0 && seconds > 0
                ? Optional.of(
                        new Throughput(
                                requests / seconds, Throughput.Source.ACCESS_LOG, Optional.empty()))
                : Optional.empty();
    }

    private Optional<CpuUse> cpu() {
        return time.flatMap(t ->
                        flights.stream()
                                .flatMap(f -> f.jvm().cpu(t.from(), t.to()).stream())
                                .findFirst())
                .or(this::cpuOfDumps);
    }

    /// CPU use by the threads' CPU times in dumps, top or pidstat, and the number of processors.
    /// The use by other processes is unknown, so the share of the cores is a lower bound.
    private Optional<CpuUse> cpuOfDumps() {
        return processors()
                .flatMap(cores ->
                        dumps.cpu()
                                .map(RecordedDumps.Cpu::processCores)
                                .map(used ->
                                        new CpuUse(
                                                Math.min(cores, used),
                                                0,
                                                0,
                                                0,
                                                cores,
                                                cores,
                                                100 * Math.min(1, used / cores),
                                                0,
                                                0,
                                                0,
                                                List.of(),
                                                List.of())));
    }

    private Optional<Double> processors() {
        return gcLogs.stream()
                .filter(g -> g.analysis().setup().cpus().isPresent())
                .map(g -> (double) g.analysis().setup().cpus().getAsInt())
                .findFirst()
                .or(() ->
                        threadCpu
                                .filter(c -> c.cpus().isPresent())
                                .map(c -> (double) c.cpus().getAsInt()));
    }

    /// The reasons why outputs of top or pidstat are not used.
    private List<String> unusedCpu() {
        return found.threadCpu().stream()
                .filter(c -> !usesCpuOf(c.file()))
                .map(c -> c.file() + ": not used, " + whyUnused(c))
                .toList();
    }

    private boolean usesCpuOf(String file) {
        return threadCpu.filter(c -> c.file().equals(file) && !ownCpu).isPresent();
    }

    private String whyUnused(FoundRecords.Cpu cpu) {
        if (cpu.text().reports() == 0) {
            return "it has no report after the first one, which shows no rate of that time; take"
                    + " several: top -H -b -n 6 -d 5 -p PID, or pidstat -t -p PID 5 5";
        }
        if (ownCpu) {
            return "the thread dumps have the CPU times of their threads";
        }
        return threadCpu.isPresent()
                ? "one output of top or pidstat is read at a time"
                : "none of its reports has this time and threads of the text dumps";
    }

    private Optional<FlightSamples.Places> work(List<ThreadSamples.Pool> pools) {
        Set<String> serving =
                pools.stream()
                        .filter(ThreadSamples.Pool::serving)
                        .map(ThreadSamples.Pool::name)
                        .collect(Collectors.toSet());
        return time.flatMap(t ->
                flights.stream()
                        .flatMap(f -> f.figures().places(t.from(), t.to(), serving).stream())
                        .findFirst());
    }

    private Signals code() {
        return time.flatMap(t ->
                        flights.stream()
                                .flatMap(f -> f.figures().code(t.from(), t.to()).stream())
                                .findFirst())
                .orElse(Signals.NONE);
    }

    private Optional<Double> classesLoadedPerS() {
        return time.flatMap(t ->
                flights.stream()
                        .flatMap(f -> f.jvm().classesLoadedPerS(t.from(), t.to()).stream())
                        .findFirst());
    }

    private static Signals signal(Sign sign, Optional<Double> value) {
        return value.map(v -> new Signals(Map.of(sign, v))).orElse(Signals.NONE);
    }

    /// The GC log, if it is long enough for rates.
    private Optional<FoundRecords.Collections> gcLog() {
        return gcLogs.stream().filter(g -> alignment.secondsOf(g) >= Alignment.RATE_S).findFirst();
    }

    private Optional<GcActivity> gc(long requests) {
        Optional<RequestedCollections> few = requested().filter(RequestedCollections::isFew);
        return gcLog().map(g -> g.events().activity(time, seconds))
                .or(() ->
                        judgedByFlights()
                                .flatMap(t ->
                                        flights.stream()
                                                .flatMap(f -> ofFlight(f, t, requests).stream())
                                                .findFirst()))
                .map(all -> few.map(f -> f.removedFrom(all, seconds)).orElse(all))
                .map(all -> CollectionCauses.of(all, collector().orElse("")));
    }

    private Optional<String> collector() {
        return gcLogs.stream()
                .findFirst()
                .map(g -> g.analysis().collector().key())
                .or(() -> flights.stream().findFirst().flatMap(f -> f.jvm().collector()));
    }

    private Optional<TimeSpan> judgedByFlights() {
        return time.filter(t -> t.seconds() >= Alignment.RATE_S);
    }

    /// The requested collections of the source that {@link #gc} uses.
    private Optional<RequestedCollections> requested() {
        return gcLog().map(g -> g.events().requested(time))
                .or(() ->
                        judgedByFlights()
                                .flatMap(t ->
                                        flights.stream()
                                                .findFirst()
                                                .map(f -> f.jvm().requested(t.from(), t.to()))));
    }

    /// Notes on collections that are not judged.
    private List<String> notJudged() {
        List<String> notes = new ArrayList<>();
        if (gcLog().isEmpty()) {
            gcLogs.stream()
                    .findFirst()
                    .ifPresent(g ->
                            notes.add(
                                    Texts.say(
                                            "%s: its events cover %.1f s of the judged time, too"
                                                    + " short for rates of collections; at least"
                                                    + " %.0f s are needed",
                                            g.file(), alignment.secondsOf(g), Alignment.RATE_S)));
        }
        requested()
                .filter(RequestedCollections::isFew)
                .ifPresent(r ->
                        notes.add(
                                Texts.say(
                                        "collector: %d collection(s) by %s are left out, too few"
                                                + " for a rate",
                                        r.requests(), r.cause().orElse("a request"))));
        return notes;
    }

    private static Optional<GcActivity> ofFlight(Flight f, TimeSpan t, long requests) {
        return f.jvm()
                .collections(t.from(), t.to())
                .map(counted -> f.figures().refine(counted, t.from(), t.to(), requests));
    }

    private Optional<ThreadCounts> counts(Optional<SampledThreads> threads) {
        Optional<ThreadCounts.Stops> stops = gcLog().flatMap(g -> g.events().stops(time, seconds));
        Optional<Double> started =
                time.flatMap(t ->
                        flights.stream()
                                .flatMap(f -> f.jvm().startedPerS(t.from(), t.to()).stream())
                                .findFirst());
        double live =
                threads.map(t ->
                                t.places().pools().stream()
                                        .mapToDouble(ThreadSamples.Pool::size)
                                        .sum())
                        .orElse(0.0);
        return live == 0 && stops.isEmpty()
                ? Optional.empty()
                : Optional.of(new ThreadCounts((int) Math.round(live), started, 0, stops));
    }

    private Machine machine() {
        return new Machine(
                (int)
                        Math.round(
                                flights.stream()
                                        .mapToDouble(f -> f.jvm().hostCores())
                                        .max()
                                        .orElse(0)),
                flights.stream()
                        .flatMap(f -> f.jvm().memoryBytes().stream())
                        .findFirst()
                        .orElse(0L),
                "not known",
                0);
    }

    private TargetFacts facts(Optional<CpuUse> cpu) {
        Optional<Flight> flight = flights.stream().findFirst();
        Optional<FoundRecords.Collections> log = gcLogs.stream().findFirst();
        List<String> means = new ArrayList<>();
        if (!series.isEmpty()) {
            means.add("thread-dumps");
        }
        flight.ifPresent(_ -> means.add("jfr"));
        log.ifPresent(_ -> means.add("gclog"));
        threadCpu.filter(_ -> !ownCpu).ifPresent(_ -> means.add("thread-cpu"));
        return new TargetFacts(
                flight.flatMap(f -> f.jvm().pid()),
                flight.flatMap(f -> f.jvm().jvm()).or(series::jvm),
                flight.flatMap(f -> f.jvm().version())
                        .or(series::version)
                        .or(() -> log.flatMap(g -> g.analysis().setup().jdk())),
                collector(),
                flight.flatMap(f -> f.jvm().heapMaxBytes())
                        .or(() ->
                                log.flatMap(g -> g.analysis().heap().maxBytes()).map(Math::round)),
                Optional.empty(),
                flight.map(f -> f.jvm().flags()).orElse(List.of()),
                cpu.map(CpuUse::availableCores).or(this::processors).orElse(0.0),
                true,
                means,
                missing,
                List.of(),
                flight.flatMap(f -> f.jvm().started()).or(series::jvmStart));
    }
}
