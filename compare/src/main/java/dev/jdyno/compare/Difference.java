package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// The code and waits that cause the difference between two variants, in ms of one request. Pure.
///
/// @param breakdown the difference by cause; empty if one of the variants has no breakdown
/// @param methods methods whose CPU time differs by more than sampling does, largest difference
///   first
/// @param flame both CPU profiles as one tree; empty if one of the variants has none
public record Difference(
        Optional<Breakdowns> breakdown, List<Method> methods, Optional<Flame> flame) {
    private static final int MAX_METHODS = 10;

    public Difference {
        methods = List.copyOf(methods);
    }

    /// The response-time breakdowns of the two variants, each at the highest load that has one.
    ///
    /// @param aRtMs mean response time of A at that load
    public record Breakdowns(double aRtMs, double bRtMs, List<Part> parts) {
        public Breakdowns {
            parts = List.copyOf(parts);
        }
    }

    /// @param cause cause of the time; empty for time outside any service thread
    public record Part(Optional<Cause> cause, double aMs, double bMs) {
        public double byMs() {
            return bMs - aMs;
        }
    }

    /// CPU time in a method of the application and in the JDK methods that it calls.
    ///
    /// @param application `class.method` of the innermost frame that is not the JDK's
    /// @param frame the frame on top of the stack (that method or one of the JDK) that differs most
    public record Method(String application, String frame, double aMs, double bMs) {
        public double byMs() {
            return bMs - aMs;
        }
    }

    /// A frame in the merged tree of both profiles.
    ///
    /// @param differs whether the difference is larger than sampling alone causes
    public record Flame(
            String frame, double aMs, double bMs, boolean differs, List<Flame> children) {
        public Flame {
            children = List.copyOf(children);
        }

        public double byMs() {
            return bMs - aMs;
        }
    }

    /// @param cpuA CPU time of a request of A, in ms, as the comparison measured it; if empty, the
    ///   profile gives it
    public static Difference of(
            RunResult a, RunResult b, OptionalDouble cpuA, OptionalDouble cpuB) {
        Optional<Profile> ofA = hottest(a);
        Optional<Profile> ofB = hottest(b);
        boolean comparable =
                ofA.isPresent()
                        && ofB.isPresent()
                        && ofA.get().source().equals(ofB.get().source())
                        && ofA.get().root().samples() > 0
                        && ofB.get().root().samples() > 0;
        if (!comparable) {
            return new Difference(breakdowns(a, b), List.of(), Optional.empty());
        }
        var before = Scaled.of(ofA.get(), cpuA);
        var after = Scaled.of(ofB.get(), cpuB);
        return new Difference(
                breakdowns(a, b),
                methods(before, after),
                Optional.of(
                        flame(
                                List.of(before.profile().root()),
                                List.of(after.profile().root()),
                                before,
                                after)));
    }

    private static Optional<Profile> hottest(RunResult of) {
        return of.insight().profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.CPU && p.qps() > 0)
                .max(Comparator.comparingInt(Profile::concurrency));
    }

    private static Optional<Breakdowns> breakdowns(RunResult a, RunResult b) {
        Optional<Round> ofA = breakdownRound(a);
        Optional<Round> ofB = breakdownRound(b);
        if (ofA.isEmpty() || ofB.isEmpty()) {
            return Optional.empty();
        }
        Breakdown first = ofA.get().anatomy().orElseThrow();
        Breakdown second = ofB.get().anatomy().orElseThrow();
        List<Part> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            parts.add(new Part(Optional.of(cause), first.ms(cause), second.ms(cause)));
        }
        parts.add(
                new Part(
                        Optional.empty(),
                        Math.max(0, first.unexplainedMs()),
                        Math.max(0, second.unexplainedMs())));
        return Optional.of(
                new Breakdowns(
                        ofA.get().rtMs().mean(),
                        ofB.get().rtMs().mean(),
                        parts.stream().filter(p -> p.aMs() > 0 || p.bMs() > 0).toList()));
    }

    private static Optional<Round> breakdownRound(RunResult of) {
        return of.rounds().stream()
                .filter(r -> r.anatomy().isPresent())
                .max(Comparator.comparingInt(Round::concurrency));
    }

    /// A profile whose samples are scaled to the measured CPU time of a request.
    private record Scaled(Profile profile, double cpuMs) {
        private static Scaled of(Profile seen, OptionalDouble cpuMs) {
            var scaled =
                    new Profile(
                            seen.kind(),
                            seen.source(),
                            seen.concurrency(),
                            seen.qps(),
                            seen.threadsPerSample(),
                            seen.pruned(),
                            FrameAlike.of(seen.root()));
            return new Scaled(scaled, cpuMs.orElse(scaled.perRequestMs(scaled.root().samples())));
        }

        double ms(long samples) {
            return cpuMs * samples / profile.root().samples();
        }

        double error(long samples) {
            return CpuShares.error(samples, profile.root().samples(), cpuMs);
        }

        CpuShares byApplicationFrame() {
            return new CpuShares(profile.samplesByApplicationFrame(), cpuMs);
        }

        /// Number of samples by top frame, for the stacks that belong to a method of the
        /// application.
        Map<String, Long> within(String application) {
            Map<String, Long> samples = new HashMap<>();
            profile.root()
                    .children()
                    .forEach(pool ->
                            pool.children().forEach(f -> add(f, f.frame(), application, samples)));
            return samples;
        }

        private static void add(
                Profile.Node node, String caller, String wanted, Map<String, Long> samples) {
            String owner = Profile.owner(node.frame(), caller);
            if (owner.equals(wanted)) {
                samples.merge(node.frame(), node.self(), Long::sum);
            }
            node.children().forEach(child -> add(child, owner, wanted, samples));
        }
    }

    private static List<Method> methods(Scaled before, Scaled after) {
        CpuShares then = before.byApplicationFrame();
        CpuShares now = after.byApplicationFrame();
        Set<String> names = new HashSet<>(then.samples().keySet());
        names.addAll(now.samples().keySet());
        return names.stream()
                .filter(name -> then.differs(name, now))
                .sorted(
                        Comparator.comparingDouble(
                                        (String name) -> -Math.abs(now.ms(name) - then.ms(name)))
                                .thenComparing(Comparator.naturalOrder()))
                .limit(MAX_METHODS)
                .map(name ->
                        new Method(
                                name,
                                largestDifference(name, before, after),
                                then.ms(name),
                                now.ms(name)))
                .toList();
    }

    private static String largestDifference(String application, Scaled before, Scaled after) {
        Map<String, Long> then = before.within(application);
        Map<String, Long> now = after.within(application);
        Set<String> frames = new HashSet<>(then.keySet());
        frames.addAll(now.keySet());
        return frames.stream()
                .min(
                        Comparator.comparingDouble((String frame) ->
                                        -Math.abs(
                                                after.ms(now.getOrDefault(frame, 0L))
                                                        - before.ms(then.getOrDefault(frame, 0L))))
                                .thenComparing(Comparator.naturalOrder()))
                .orElse(application);
    }

    /// @param ofA the nodes of one frame in A; none if only B has it
    private static Flame flame(
            List<Profile.Node> ofA, List<Profile.Node> ofB, Scaled before, Scaled after) {
        long a = samples(ofA);
        long b = samples(ofB);
        Map<String, List<Profile.Node>> then = children(ofA);
        Map<String, List<Profile.Node>> now = children(ofB);
        // a frame that only A has would have no width
        List<Flame> children =
                now.keySet().stream()
                        .sorted()
                        .map(f ->
                                flame(
                                        then.getOrDefault(f, List.of()),
                                        now.getOrDefault(f, List.of()),
                                        before,
                                        after))
                        .toList();
        return new Flame(
                ofB.getFirst().frame(),
                before.ms(a),
                after.ms(b),
                CpuShares.differs(before.ms(a), before.error(a), after.ms(b), after.error(b)),
                children);
    }

    private static long samples(List<Profile.Node> nodes) {
        return nodes.stream().mapToLong(Profile.Node::samples).sum();
    }

    private static Map<String, List<Profile.Node>> children(List<Profile.Node> nodes) {
        Map<String, List<Profile.Node>> byFrame = new HashMap<>();
        nodes.forEach(n ->
                n.children()
                        .forEach(c ->
                                byFrame.computeIfAbsent(c.frame(), _ -> new ArrayList<>()).add(c)));
        return byFrame;
    }
}
