package dev.jdyno.cli.heap;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.sizing.HeapReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// Sizing advice from a GC log: `jdyno gc LOG --advise --slo pause=50ms,gc=5%`.
public final class HeapAdviceText {
    /// F11: a survivor space keeps its threshold while age 1 fills at most half of it.
    private static final double SURVIVOR_IN_AGE_ONE = 2;

    private static final long MIB = 1024 * 1024;

    private HeapAdviceText() {}

    /// Reads `pause=50ms`, `gc=5%` or both, apart by a comma.
    ///
    /// @throws UserError of kind usage
    public static HeapGoal goal(String text) {
        Optional<Double> pause = Optional.empty();
        double share = HeapGoal.GC_SHARE;
        try {
            for (String part : text.isBlank() ? new String[0] : text.split(",")) {
                String[] pair = part.trim().split("=", 2);
                if (pair.length == 2 && pair[0].equals("pause")) {
                    pause = Optional.of(Durations.parse(pair[1]).toNanos() / 1e6);
                } else if (pair.length == 2 && pair[0].equals("gc") && pair[1].endsWith("%")) {
                    share = Double.parseDouble(pair[1].substring(0, pair[1].length() - 1)) / 100;
                } else {
                    throw new IllegalArgumentException("'" + part + "' is no goal");
                }
            }
            return new HeapGoal(pause, share);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                            "--slo " + text + " is not understood",
                            String.valueOf(e.getMessage()),
                            "write --slo pause=50ms, --slo gc=5% or both with a comma")
                    .causedBy(e);
        }
    }

    public static List<String> lines(
            HeapReading read, HeapGoal goal, HeapAdvice advice, OptionalDouble qps) {
        Analysis a = read.analysis();
        var lines = new ArrayList<String>();
        lines.add("");
        lines.add(
                text(
                        "advice for at most %.1f %% of the time in pauses%s",
                        goal.gcShare() * 100,
                        goal.pauseMs().map(p -> text(" and none above %.0f ms", p)).orElse("")));
        lines.add(
                "        heap       young    survivor  collections     full   pauses  share of time"
                        + "  longest    memory");
        for (HeapAdvice.Choice c : advice.choices()) {
            lines.add(row(c, mark(advice, c)));
        }
        lines.add(
                advice.chosen()
                        .map(c -> advised(read.seen(), goal, c))
                        .orElse("no size tried meets the goal: allocate less or change collector"));
        if (!advice.now().pauseMet()) {
            lines.add(pauseAdvice(a, read.longestPauseMs()));
        }
        qps.ifPresent(q -> lines.add(young(a, q)));
        survivors(a).ifPresent(lines::add);
        if (a.heap().liveIsUpperBound()) {
            lines.add("the live set may be smaller: no old collection ran");
        }
        HeapReading.leftOut(a).ifPresent(lines::add);
        var near = HeapForecast.MedianError.near(read.seen());
        var far = HeapForecast.MedianError.far(read.seen());
        lines.add(
                text(
                        "median error of such forecasts: collections %d %%, pauses %d %% for a heap"
                                + " 1.5 times as large or as small, %d %% and %d %% for 2.4 times"
                                + " (docs/heap-forecast-errors.md): try it, then read the new log",
                        near.collectionsPct(),
                        near.pausePct(),
                        far.collectionsPct(),
                        far.pausePct()));
        return lines;
    }

    private static String mark(HeapAdvice advice, HeapAdvice.Choice c) {
        String now = c.equals(advice.now()) ? "now " : "";
        String outside = c.fits() ? "" : "above the container ";
        return now + outside + (advice.chosen().map(c::equals).orElse(false) ? "<- advised" : "");
    }

    private static String row(HeapAdvice.Choice c, String mark) {
        HeapForecast f = c.forecast();
        if (f.tooSmall()) {
            return text("%12s  too small for what is alive  %s", f.heap(), mark);
        }
        return text(
                "%12s %11s %11s %12.0f %8.0f %8s %12.2f %% %8s %9s  %s",
                f.heap(),
                c.split().map(s -> s.young().toString()).orElse("-"),
                c.split().map(s -> s.survivor().toString()).orElse("-"),
                f.gcs(),
                f.fullGcs(),
                Durations.format(Durations.ofSeconds(f.pauseMs() / 1000)),
                f.pauseShare() * 100,
                Durations.format(Durations.ofSeconds(c.longestPauseMs() / 1000)),
                c.memory().total(),
                mark);
    }

    private static String advised(HeapObservation seen, HeapGoal goal, HeapAdvice.Choice c) {
        Footprint m = c.memory();
        return text(
                "%s: a container needs about %s (heap %s, collector %s, metaspace %s, code %s,"
                        + " stacks %s, direct buffers %s)",
                String.join(" ", flags(seen.kind(), goal, c)),
                m.total(),
                m.heap(),
                m.tables(),
                m.metaspace(),
                m.code(),
                m.stacks(),
                m.direct());
    }

    /// The command line that makes a heap so.
    static List<String> flags(HeapObservation.Kind kind, HeapGoal goal, HeapAdvice.Choice c) {
        var flags = new ArrayList<String>();
        long heap = c.forecast().heap().value() / MIB;
        flags.add("-Xms" + heap + "m");
        flags.add("-Xmx" + heap + "m");
        c.split().ifPresent(s -> flags.add("-Xmn" + s.young().value() / MIB + "m"));
        if (kind == HeapObservation.Kind.SERIAL) {
            c.split().ifPresent(s -> flags.add("-XX:SurvivorRatio=" + s.survivorRatio()));
        }
        if (kind == HeapObservation.Kind.REGIONS && goal.pauseMs().isPresent()) {
            flags.add("-XX:MaxGCPauseMillis=" + Math.max(1, Math.round(goal.pauseMs().get())));
        }
        return flags;
    }

    private static String pauseAdvice(Analysis a, double longest) {
        String seen = text("pauses reach %.0f ms without full collections; ", longest);
        return seen
                + switch (a.collector()) {
                    case G1 -> "lower -XX:MaxGCPauseMillis, or -XX:+UseZGC if CPU can be spared";
                    case SERIAL, PARALLEL, PARNEW, CMS ->
                            "a heap size does not fix that: -XX:+UseG1GC or -XX:+UseZGC";
                    case ZGC, SHENANDOAH, EPSILON, UNKNOWN ->
                            "look at time to safepoint and at the machine, not at the heap";
                };
    }

    private static String young(Analysis a, double qps) {
        return a.allocBytesPerS()
                .map(rate -> {
                    double request = rate / qps;
                    return text(
                            "a request allocates %s: a young generation above %s gains little"
                                    + " (F9)",
                            new Bytes(Math.round(request)),
                            new Bytes(Math.round(request * GcLimits.REQUESTS_IN_YOUNG)));
                })
                .orElse("the log does not tell the allocation rate");
    }

    private static Optional<String> survivors(Analysis a) {
        if (a.ages().meanBytes().isEmpty() || a.ages().desiredBytes() <= 0) {
            return Optional.empty();
        }
        double ageOne = a.ages().meanBytes().getFirst();
        double survivor = SURVIVOR_IN_AGE_ONE * ageOne;
        return Optional.of(
                ageOne > a.ages().desiredBytes()
                        ? text(
                                "age 1 is %s, a survivor keeps %s: make survivor spaces %s (F11)",
                                new Bytes(Math.round(ageOne)),
                                new Bytes(Math.round(a.ages().desiredBytes())),
                                new Bytes(Math.round(survivor)))
                        : "survivor spaces are large enough (F11)");
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
