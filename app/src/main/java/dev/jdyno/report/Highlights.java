package dev.jdyno.report;

import dev.jdyno.measure.Anatomy;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Validity;
import dev.jdyno.measure.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Which parts of a result every form of the report shows first; chooses, computes nothing new.
final class Highlights {
    /// Share of a round's throughput by which its window may differ before the reader hears of it.
    private static final double WINDOW_STRAYS = 0.10;

    /// Share of a part from which its largest place stands for all of it.
    private static final double NEARLY_ALL = 0.9;

    private Highlights() {}

    /// One part of a request's time.
    ///
    /// @param key the cause's key, or `unexplained` for what no thread of the target was seen doing
    record Part(String key, String name, double ms) {}

    /// The round whose concurrency is nearest to the knee (as a ratio) among those with an anatomy;
    /// without a knee the one with the highest throughput.
    static Optional<Round> anatomyRound(RunResult r) {
        var seen = r.rounds().stream().filter(x -> x.anatomy().isPresent()).toList();
        if (r.verdict().bottleneck() == Bottleneck.GC_STALL) {
            // stalls may begin only beyond the best throughput
            return seen.stream()
                    .max(Comparator.comparingDouble(x -> x.anatomy().orElseThrow().ms(Cause.GC)));
        }
        return r.knee().isPresent()
                ? seen.stream().min(nearest(r.knee().get().concurrency()))
                : seen.stream().max(Comparator.comparingDouble(Round::qps));
    }

    /// Requests per second in the window that the round's anatomy was seen in, which is not the
    /// round: the one at the same concurrency with the most dumps. Empty when nobody counted them.
    static Optional<Double> windowQps(RunResult r, Round round) {
        return r.census().stream()
                .filter(c -> c.concurrency() == round.concurrency())
                .max(Comparator.comparingInt(Census::dumps))
                .map(Census::qps)
                .filter(qps -> qps > 0);
    }

    /// The evidence window at the highest load; of several at that load the one with most dumps.
    static Optional<Census> busiestWindow(RunResult r) {
        return r.census().stream()
                .max(Comparator.comparingInt(Census::concurrency).thenComparingInt(Census::dumps));
    }

    /// Whether that window served so much less or more than the round that its parts of a request
    /// need not be the round's.
    static boolean strays(double windowQps, Round round) {
        return Math.abs(windowQps / round.qps() - 1) > WINDOW_STRAYS;
    }

    /// Whether others held so much of the machine that predictions from its cores are worth
    /// nothing.
    static boolean crowded(RunResult r) {
        return r.validity().warnings().stream().anyMatch(w -> w.id().equals(Validity.CROWDED));
    }

    private static Comparator<Round> nearest(double concurrency) {
        return Comparator.comparingDouble(r -> Math.abs(Math.log(r.concurrency() / concurrency)));
    }

    /// The parts of one request that are above 0, in the order of {@link Cause}, what is not
    /// explained last.
    static List<Part> parts(Anatomy a) {
        List<Part> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            if (a.ms(cause) > 0) {
                parts.add(new Part(cause.key(), name(cause), a.ms(cause)));
            }
        }
        if (a.unexplainedMs() > 0) {
            parts.add(new Part("unexplained", "outside threads", a.unexplainedMs()));
        }
        return parts;
    }

    /// The place with the most time of this part, rather one with a name than the sum of the small
    /// ones; empty when none was found, or when its name says no more than the part's.
    static Optional<String> where(Anatomy a, Part part) {
        List<Anatomy.Spot> places =
                a.topN().stream()
                        .filter(s -> s.cause().key().equals(part.key()))
                        .filter(s ->
                                !s.where().isBlank() && !s.where().equalsIgnoreCase(part.name()))
                        .toList();
        return places.stream()
                .filter(s -> !s.where().equals(Census.ELSEWHERE))
                .findFirst()
                .or(() -> places.stream().findFirst())
                .map(s -> ofWhich(s.ms() / part.ms()) + s.where());
    }

    /// How much of the part, unless it is nearly all.
    private static String ofWhich(double share) {
        return share < NEARLY_ALL ? Figures.percent(share) + ": " : "";
    }

    /// A cause in an engineer's words: `run queue`, `GC`.
    static String name(Cause cause) {
        return switch (cause) {
            case CPU -> "CPU";
            case GC -> "GC";
            case DNS -> "DNS";
            default -> cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    /// The load of the measured knee, where what-ifs are given at it.
    static Optional<String> whatIfLoad(RunResult r) {
        return r.knee()
                .filter(k -> r.whatIf().stream().anyMatch(w -> w.rtMsAtLoadOf(k).isPresent()))
                .map(k -> Figures.number(k.concurrency()));
    }

    /// A what-if's response time at the load of the measured knee; at its own knee in results of
    /// before there were curves.
    static double rtMs(WhatIf w, RunResult r) {
        return r.knee().isEmpty() ? w.rtMs() : w.rtMsAtLoadOf(r.knee().get()).orElse(w.rtMs());
    }
}
