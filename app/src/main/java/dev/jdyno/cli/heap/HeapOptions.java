package dev.jdyno.cli.heap;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapFlags;
import dev.jdyno.heapmodel.simulation.HeapWorkload;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `jdyno heap`, read as text so that all mistakes are reported at once.
final class HeapOptions {
    private static final int SWEEP_PARTS = 3;

    @Option(
            names = "--collector",
            paramLabel = "NAME",
            description = "serial, parallel or g1 (first order). Default: ${DEFAULT-VALUE}")
    private String collector = "parallel";

    @Option(
            names = "--jdk",
            paramLabel = "N",
            description =
                    "JDK feature release; 17 and 25 differ for large arrays. Default:"
                            + " ${DEFAULT-VALUE}")
    private String jdk = "25";

    @Option(names = "--xmx", paramLabel = "SIZE", description = "-Xmx (and -Xms).")
    private @Nullable String xmx;

    @Option(names = "--xms", paramLabel = "SIZE", description = "-Xms, must equal --xmx.")
    private @Nullable String xms;

    @Option(names = "--xmn", paramLabel = "SIZE", description = "-Xmn: fixed young generation.")
    private @Nullable String xmn;

    @Option(
            names = "--new-ratio",
            paramLabel = "N",
            description = "-XX:NewRatio, old ÷ young without --xmn. Default: ${DEFAULT-VALUE}")
    private String newRatio = "2";

    @Option(names = "--survivor-ratio", paramLabel = "N", description = "-XX:SurvivorRatio.")
    private @Nullable String survivorRatio;

    @Option(
            names = "--max-tenuring-threshold",
            paramLabel = "N",
            description = "-XX:MaxTenuringThreshold. Default: ${DEFAULT-VALUE}")
    private String maxTenuringThreshold = "15";

    @Option(
            names = "--target-survivor-ratio",
            paramLabel = "PERCENT",
            description = "-XX:TargetSurvivorRatio. Default: ${DEFAULT-VALUE}")
    private String targetSurvivorRatio = "50";

    @Option(
            names = "--no-adaptive",
            description = "-XX:-UseAdaptiveSizePolicy: Parallel keeps its spaces as they start.")
    private boolean notAdaptive;

    @Option(
            names = "--request-bytes",
            paramLabel = "SIZE",
            description = "Bytes that one request allocates.")
    private @Nullable String requestBytes;

    @Option(
            names = "--object-bytes",
            paramLabel = "SIZE",
            description =
                    "Length of the arrays that a request allocates. Default: one array of"
                            + " --request-bytes")
    private @Nullable String objectBytes;

    @Option(
            names = "--live-bytes",
            paramLabel = "SIZE",
            description = "Bytes of --request-bytes that stay referenced. Default: all of them")
    private @Nullable String liveBytes;

    @Option(
            names = "--small-bytes",
            paramLabel = "SIZE",
            description =
                    "Small objects that a request of a real service also allocates; 0 for none."
                            + " Default: ${DEFAULT-VALUE}")
    private String smallBytes = "5k";

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description =
                    "How long a request waits while it holds its memory. Default:"
                            + " ${DEFAULT-VALUE}")
    private String hold = "0ms";

    @Option(
            names = "--release-before-wait",
            description = "A request releases its memory before it waits.")
    private boolean releaseBeforeWait;

    @Option(
            names = "--cached-for",
            paramLabel = "TIME",
            description =
                    "How long a request's memory stays referenced after the request. Default:"
                            + " ${DEFAULT-VALUE}")
    private String cachedFor = "0ms";

    @Option(
            names = "--cpu",
            paramLabel = "TIME",
            description =
                    "CPU time of a request in addition to allocation. Default:"
                            + " ${DEFAULT-VALUE}")
    private String cpu = "0ms";

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Cores of the service. Default: those of this machine")
    private @Nullable String cores;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Requests at a time (closed model). Default: 1")
    private @Nullable String concurrency;

    @Option(
            names = "--rate",
            paramLabel = "R/s",
            description = "Requests per second at random times, instead of --concurrency.")
    private @Nullable String rate;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Number of simulated requests. Default: ${DEFAULT-VALUE}")
    private String requests = "10000";

    @Option(
            names = "--sweep-young",
            paramLabel = "FROM:TO:STEPS",
            description =
                    "Try young generations of these sizes; the old generation keeps its"
                            + " size (E19).")
    private @Nullable String sweepYoung;

    /// The values of the options.
    ///
    /// @param youngSizes sizes of a sweep; empty if no sweep is requested
    record Asked(HeapFlags flags, HeapWorkload load, List<Bytes> youngSizes) {}

    /// @throws dev.jdyno.measure.text.UserError with every mistake
    Asked parse() {
        var problems = Problems.ofCommand("jdyno heap");
        var reader = new OptionTexts(problems);
        Optional<HeapFlags> flags = flags(reader);
        Optional<HeapWorkload> load = load(reader);
        List<Bytes> sizes = sizes(reader);
        problems.throwIfAny();
        return new Asked(flags.orElseThrow(), load.orElseThrow(), sizes);
    }

    private Optional<HeapFlags> flags(OptionTexts r) {
        var kind =
                r.read("--collector", collector, HeapOptions::collector, "serial, parallel or g1");
        var release = r.number("--jdk", jdk);
        var heap = r.required("--xmx", xmx);
        var start = xms == null ? heap : r.bytes("--xms", xms);
        var young = xmn == null ? null : r.bytes("--xmn", xmn).orElse(null);
        var old = r.number("--new-ratio", newRatio);
        var survivors =
                survivorRatio == null
                        ? OptionalInt.empty()
                        : r.number("--survivor-ratio", survivorRatio);
        var age = r.number("--max-tenuring-threshold", maxTenuringThreshold);
        var target = r.number("--target-survivor-ratio", targetSurvivorRatio);
        if (heap.isPresent() && start.isPresent() && !heap.equals(start)) {
            r.problems()
                    .add(
                            "--xms " + xms,
                            "a heap that grows from -Xms to -Xmx is not modelled",
                            "leave --xms out or give the size of --xmx");
        }
        if (!r.problems().isEmpty()) {
            return Optional.empty();
        }
        return r.build(
                "flags",
                () ->
                        new HeapFlags(
                                kind.orElseThrow(),
                                release.orElseThrow(),
                                heap.orElseThrow(),
                                Optional.ofNullable(young),
                                old.orElseThrow(),
                                survivors,
                                age.orElseThrow(),
                                target.orElseThrow(),
                                !notAdaptive));
    }

    private Optional<HeapWorkload> load(OptionTexts r) {
        var bytes = r.required("--request-bytes", requestBytes);
        var object =
                objectBytes == null ? null : r.bytes("--object-bytes", objectBytes).orElse(null);
        var live = liveBytes == null ? bytes : r.bytes("--live-bytes", liveBytes);
        var wait = r.time("--hold", hold);
        var cached = r.time("--cached-for", cachedFor);
        var work = r.time("--cpu", cpu);
        var coreCount =
                cores == null
                        ? OptionalInt.of(Runtime.getRuntime().availableProcessors())
                        : r.number("--cores", cores);
        var count = r.number("--requests", requests);
        var arrivals = arrivals(r);
        var small = r.bytes("--small-bytes", smallBytes);
        if (!r.problems().isEmpty()) {
            return Optional.empty();
        }
        return r.build(
                "request",
                () ->
                        new HeapWorkload(
                                bytes.orElseThrow(),
                                Optional.ofNullable(object),
                                live.orElseThrow(),
                                wait.orElseThrow(),
                                releaseBeforeWait,
                                cached.orElseThrow(),
                                work.orElseThrow(),
                                coreCount.orElseThrow(),
                                arrivals.orElseThrow(),
                                count.orElseThrow(),
                                small.orElseThrow()));
    }

    private Optional<Arrivals> arrivals(OptionTexts r) {
        if (rate != null && concurrency != null) {
            r.problems()
                    .add(
                            "--rate, --concurrency",
                            "requests come at a rate or so many at a time, not both",
                            "give one of the two");
            return Optional.empty();
        }
        if (rate != null) {
            String text = rate.endsWith("/s") ? rate.substring(0, rate.length() - 2) : rate;
            return r.read(
                    "--rate",
                    text,
                    t -> new Arrivals.Open(Double.parseDouble(t)),
                    "a number of requests a second such as 250");
        }
        return r.read(
                "--concurrency",
                concurrency == null ? "1" : concurrency,
                t -> new Arrivals.Closed(Integer.parseInt(t)),
                "a whole number of at least 1");
    }

    private List<Bytes> sizes(OptionTexts r) {
        if (sweepYoung == null) {
            return List.of();
        }
        return r.read("--sweep-young", sweepYoung, HeapOptions::sizes, "such as 78m:978m:19")
                .orElse(List.of());
    }

    private static List<Bytes> sizes(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != SWEEP_PARTS) {
            throw new IllegalArgumentException("not FROM:TO:STEPS: '" + text + "'");
        }
        double from = Bytes.parse(parts[0]).value();
        double to = Bytes.parse(parts[1]).value();
        int steps = Integer.parseInt(parts[2]);
        if (steps < 2 || to <= from) {
            throw new IllegalArgumentException("a sweep rises, in at least 2 steps: " + text);
        }
        var sizes = new ArrayList<Bytes>();
        for (int i = 0; i < steps; i++) {
            sizes.add(new Bytes(Math.round(from + (to - from) * i / (steps - 1))));
        }
        return sizes;
    }

    private static Collector collector(String name) {
        return Collector.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
