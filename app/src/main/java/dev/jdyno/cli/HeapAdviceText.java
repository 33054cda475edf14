package dev.jdyno.cli;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Distribution;
import dev.jdyno.gclog.PauseKind;
import dev.jdyno.heapmodel.HeapAdvice;
import dev.jdyno.heapmodel.HeapForecast;
import dev.jdyno.heapmodel.HeapGoal;
import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.Durations;
import dev.jdyno.measure.HeapObservation;
import dev.jdyno.measure.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// Sizing advice from a GC log: `jdyno gc LOG --advise --slo pause=50ms,gc=5%`.
final class HeapAdviceText {
    /// F9: larger than this many requests gains little.
    private static final double YOUNG_IN_REQUESTS = 100;

    /// F11: a survivor space keeps its threshold while age 1 fills at most half of it.
    private static final double SURVIVOR_IN_AGE_ONE = 2;

    /// Outside the heap: metaspace, code cache, thread stacks, GC's own tables, direct buffers.
    private static final double OUTSIDE_SHARE = 0.25;

    private static final double OUTSIDE_LEAST_MIB = 200;

    private HeapAdviceText() {}

    /// Reads `pause=50ms`, `gc=5%` or both, apart by a comma.
    ///
    /// @throws UserError of kind usage
    static HeapGoal goal(String text) {
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

    /// @throws UserError of kind invalid when the log tells too little
    static HeapObservation observation(Analysis a) {
        double heap = a.heap().maxBytes().orElse(0.0);
        if (heap <= 0 || a.spanS() <= 0 || a.pauses().count() == 0) {
            throw new UserError(
                    UserError.Kind.INVALID,
                    a.source() + " tells too little for advice",
                    "it has no heap size, no time stamps or no collection",
                    "log with -Xlog:gc* for a while under load");
        }
        double young = 0;
        double full = 0;
        double steps = 0;
        long youngCount = 0;
        long fullCount = 0;
        for (var e : a.pausesByKind().entrySet()) {
            Distribution d = e.getValue();
            if (e.getKey() == PauseKind.FULL || e.getKey() == PauseKind.DEGENERATED) {
                full += d.total();
                fullCount += d.count();
            } else if (e.getKey().isYoung() || e.getKey() == PauseKind.MIXED) {
                young += d.total();
                youngCount += d.count();
            } else {
                steps += d.total();
            }
        }
        boolean cycles = a.collector().isPauseless();
        return new HeapObservation(
                kind(a),
                heap,
                a.heap().oldCapacityBytes().filter(o -> o < heap).map(o -> heap - o),
                a.heap().liveBytes().orElse(0.0),
                oldBytes(a),
                a.spanS(),
                a.allocatedBytes(),
                a.promotedBytes(),
                cycles ? 0 : youngCount,
                fullCount,
                cycles ? a.count("concurrent") : 0,
                young,
                full,
                steps,
                a.copying()
                        .map(c ->
                                new HeapObservation.Copying(
                                        c.edenBytes(),
                                        c.survivedBytes(),
                                        c.promotedBytes(),
                                        c.copiedTotalBytes())));
    }

    /// What the heap holds on average after a collection.
    private static double oldBytes(Analysis a) {
        return a.series().stream()
                .filter(p -> p.afterBytes() > 0)
                .mapToLong(Analysis.Point::afterBytes)
                .average()
                .orElse(0);
    }

    private static HeapObservation.Kind kind(Analysis a) {
        return switch (a.collector()) {
            case SERIAL, UNKNOWN, EPSILON -> HeapObservation.Kind.SERIAL;
            case PARALLEL -> HeapObservation.Kind.PARALLEL;
            case PARNEW, CMS -> HeapObservation.Kind.SWEPT;
            case G1 -> HeapObservation.Kind.REGIONS;
            case ZGC, SHENANDOAH ->
                    a.generational()
                            ? HeapObservation.Kind.GENERATIONAL_CYCLES
                            : HeapObservation.Kind.CYCLES;
        };
    }

    static List<String> lines(Analysis a, HeapGoal goal, OptionalDouble qps) {
        HeapObservation seen = observation(a);
        double longest = longestPauseMs(a);
        HeapAdvice advice = HeapAdvice.of(seen, longest, goal);
        var lines = new ArrayList<String>();
        lines.add("");
        lines.add(
                text(
                        "advice for at most %.1f %% of the time in pauses%s",
                        goal.gcShare() * 100,
                        goal.pauseMs().map(p -> text(" and none above %.0f ms", p)).orElse("")));
        lines.add("        heap  collections     full   pauses  share of time");
        for (HeapForecast c : advice.choices()) {
            lines.add(row(c, mark(advice, c)));
        }
        lines.add(
                advice.chosen()
                        .map(c -> "-Xmx" + c.heap().value() / 1048576 + "m: " + outside(c.heap()))
                        .orElse("no size tried meets the goal: allocate less or change collector"));
        if (!advice.pauseMet()) {
            lines.add(pauseAdvice(a, longest));
        }
        qps.ifPresent(q -> lines.add(young(a, q)));
        survivors(a).ifPresent(lines::add);
        if (a.heap().liveIsUpperBound()) {
            lines.add("the live set may be smaller: no old collection ran");
        }
        lines.add("a first-order forecast (docs/heap-model.md): try it, then read the new log");
        return lines;
    }

    private static String mark(HeapAdvice advice, HeapForecast f) {
        String now = f.equals(advice.now()) ? "now " : "";
        return now + (advice.chosen().map(f::equals).orElse(false) ? "<- advised" : "");
    }

    private static String row(HeapForecast f, String mark) {
        if (f.tooSmall()) {
            return text("%12s  too small for what is alive  %s", f.heap(), mark);
        }
        return text(
                "%12s %12.0f %8.0f %8s %9.2f %%  %s",
                f.heap(),
                f.gcs(),
                f.fullGcs(),
                Durations.format(Durations.ofSeconds(f.pauseMs() / 1000)),
                f.pauseShare() * 100,
                mark);
    }

    private static String outside(Bytes heap) {
        double more = Math.max(OUTSIDE_LEAST_MIB, heap.inMebi() * OUTSIDE_SHARE);
        return text(
                "a container needs about %s: heap, metaspace, code, stacks, direct buffers",
                Bytes.mebi(heap.inMebi() + more));
    }

    private static double longestPauseMs(Analysis a) {
        return a.pausesByKind().entrySet().stream()
                .filter(e -> e.getKey() != PauseKind.FULL)
                .mapToDouble(e -> e.getValue().max())
                .max()
                .orElse(0);
    }

    private static String pauseAdvice(Analysis a, double longest) {
        String seen = text("pauses reach %.0f ms without full collections; ", longest);
        return seen
                + switch (a.collector()) {
                    case G1 -> "lower -XX:MaxGCPauseMillis, or -XX:+UseZGC if CPU can be spared";
                    case SERIAL, PARALLEL, PARNEW, CMS ->
                            "a size will not cure that: -XX:+UseG1GC or -XX:+UseZGC";
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
                            new Bytes(Math.round(request * YOUNG_IN_REQUESTS)));
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
