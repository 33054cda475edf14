package dev.jdyno.diagnose;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Grown;
import dev.jdyno.measure.thread.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Methods whose time per request differs between two profiles: growth with the load between two
/// windows of a run, or a change between two runs.
///
/// The comparison uses a method's own time per request, which is computed from samples by Little's
/// law. Its samples have the method on top, or code of the JDK or native code that it called. So
/// the result names the method that grew and not all its callers. With n samples of a method, its
/// time has a relative standard error of 1/√n. Differences below twice the combined error of both
/// times are left out.
public final class Growth {
    /// Maximum number of methods in the result.
    static final int MAX = 10;

    private static final double SIGMAS = 2;

    private Growth() {}

    /// Returns the insight with the methods whose time grew from its lowest to its highest load.
    public static Insight explained(Insight seen) {
        List<Grown> grown = new ArrayList<>();
        for (Profile.Kind kind : Profile.Kind.values()) {
            List<Profile> byLoad =
                    seen.profiles().stream()
                            .filter(p -> p.kind() == kind)
                            .sorted(Comparator.comparingInt(Profile::concurrency))
                            .toList();
            if (byLoad.size() > 1) {
                between(byLoad.getFirst(), byLoad.getLast()).stream()
                        .filter(g -> g.byMs() > 0)
                        .forEach(grown::add);
            }
        }
        return seen.withGrown(grown);
    }

    /// Returns the methods that take more time per request than in an earlier run, each run at its
    /// highest load.
    public static List<Grown> since(Insight before, Insight now) {
        List<Grown> grown = new ArrayList<>();
        for (Profile.Kind kind : Profile.Kind.values()) {
            Optional<Profile> then = highest(before, kind);
            Optional<Profile> here = highest(now, kind);
            if (then.isPresent() && here.isPresent()) {
                grown.addAll(between(then.get(), here.get()));
            }
        }
        return grown;
    }

    private static Optional<Profile> highest(Insight seen, Profile.Kind kind) {
        return seen.profiles().stream()
                .filter(p -> p.kind() == kind)
                .max(Comparator.comparingInt(Profile::concurrency));
    }

    /// Returns the methods whose time differs: first those that grew, the largest growth first,
    /// then those that shrank. Empty if the profiles come from different sources, whose samples
    /// cannot be compared, or if requests were not counted.
    public static List<Grown> between(Profile before, Profile after) {
        if (before.kind() != after.kind()
                || !before.source().equals(after.source())
                || before.qps() <= 0
                || after.qps() <= 0) {
            return List.of();
        }
        Map<String, Long> then = before.samplesByApplicationFrame();
        Map<String, Long> now = after.samplesByApplicationFrame();
        var methods = new TreeSet<>(then.keySet());
        methods.addAll(now.keySet());
        return methods.stream()
                .filter(m -> {
                    long a = then.getOrDefault(m, 0L);
                    long b = now.getOrDefault(m, 0L);
                    double error =
                            Math.hypot(
                                    before.perRequestMs(1) * Math.sqrt(a + 1.0),
                                    after.perRequestMs(1) * Math.sqrt(b + 1.0));
                    return Math.abs(after.perRequestMs(b) - before.perRequestMs(a))
                            > SIGMAS * error;
                })
                .map(m ->
                        new Grown(
                                before.kind(),
                                m,
                                before.perRequestMs(then.getOrDefault(m, 0L)),
                                after.perRequestMs(now.getOrDefault(m, 0L))))
                .sorted(Comparator.comparingDouble(Grown::byMs).reversed())
                .limit(MAX)
                .toList();
    }
}
