package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.Classified;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.threads.SampledThread;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Counts the lines of the application's methods in stacks that wait for the same thing.
final class SiteCounts {
    /// Minimum share of a method's samples for a line to be one of its call sites.
    private static final double LINE_SHARE = 0.10;

    /// Minimum number of samples of a line; with fewer it may be there by chance.
    private static final double MIN_SAMPLES = 3;

    /// Minimum share of all samples that must pass through a method. A method with fewer is not
    /// used by every request.
    private static final double PASSED_BY = 0.5;

    /// A method and what it called. The called method is kept for the JDK only: several methods of
    /// the JDK may be steps of one call (the answer's status and its body).
    ///
    /// @param called the JDK's method; empty if it called a method outside the JDK
    private record Caller(String method, String called) {}

    private static final class Count {
        private final Map<Integer, Double> lines = new HashMap<>();
        private final String file;
        private double samples;
        private double depths;

        Count(String file) {
            this.file = file;
        }

        boolean isSite(Map.Entry<Integer, Double> line) {
            return line.getValue() >= Math.max(MIN_SAMPLES, LINE_SHARE * samples);
        }
    }

    private final Map<Caller, Count> callers = new HashMap<>();
    private double all;

    void add(SampledThread seen) {
        Classified classified = seen.thread();
        JavaThread thread = classified.thread();
        all += seen.weight();
        Set<Caller> passed = new HashSet<>();
        int depth = 0;
        for (int at : classified.application()) {
            depth++;
            Optional<ThreadDump.Source> source = thread.source(at);
            String inside = at == 0 ? "" : thread.frames().get(at - 1);
            var caller =
                    new Caller(thread.frames().get(at), Profile.isOfTheJdk(inside) ? inside : "");
            // of a recursive method only the innermost call counts
            if (source.isEmpty() || !passed.add(caller)) {
                continue;
            }
            Count count = callers.computeIfAbsent(caller, _ -> new Count(source.get().file()));
            count.lines.merge(source.get().line(), seen.weight(), Double::sum);
            count.samples += seen.weight();
            count.depths += depth * seen.weight();
        }
    }

    /// The call sites of the method nearest to the wait; empty if no method was found at several
    /// lines.
    ///
    /// @param dumps number of dumps that the samples come from
    Optional<CallSites> sites(double dumps) {
        return callers.entrySet().stream()
                .filter(e -> e.getValue().samples >= PASSED_BY * all)
                .filter(e ->
                        e.getValue().lines.entrySet().stream().filter(e.getValue()::isSite).count()
                                > 1)
                .min(Comparator.comparingDouble(e -> e.getValue().depths / e.getValue().samples))
                .map(e -> sites(e.getKey().method(), e.getValue(), dumps));
    }

    private static CallSites sites(String method, Count count, double dumps) {
        List<Map.Entry<Integer, Double>> sites =
                count.lines.entrySet().stream()
                        .filter(count::isSite)
                        .sorted(Map.Entry.comparingByKey())
                        .toList();
        double samples = sites.stream().mapToDouble(Map.Entry::getValue).sum();
        return new CallSites(
                method,
                Optional.of(count.file),
                sites.stream()
                        .map(l -> new CallSites.Line(l.getKey(), l.getValue() / samples))
                        .toList(),
                samples / dumps);
    }
}
