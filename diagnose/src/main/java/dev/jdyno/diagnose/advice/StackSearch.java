package dev.jdyno.diagnose.advice;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.OwnFrames;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Searches for frames in the stacks of a profile, and finds the application's own frame outside of
/// them.
final class StackSearch {
    /// Number of samples that stands for one running thread, if thread dumps are known but no
    /// profile.
    private static final double SAMPLES_PER_THREAD = 1000;

    private final Insight insight;
    private final Evidence evidence;
    private final OwnFrames own;

    /// @param share share of all samples
    /// @param below the frame of the pattern that most of the samples contain
    /// @param others true if some of the samples contain another frame of the pattern
    /// @param at the application frame from which most of the samples reach that frame
    record Sighting(double share, String below, boolean others, Optional<String> at) {}

    private record Way(String below, Optional<String> at) {}

    StackSearch(Insight insight, Evidence evidence) {
        this.insight = insight;
        this.evidence = evidence;
        this.own = new OwnFrames(insight);
    }

    /// Returns the stacks at the highest load that match any of the patterns, because one fault may
    /// occur at several calls. A result needs one pattern that reaches its minimum share, or all
    /// patterns together must reach the largest minimum share. Otherwise it is empty.
    ///
    /// @param patterns patterns of one kind
    /// @param unless beginnings of frames; stacks with such a frame do not count
    Optional<Sighting> find(List<Seen.Stack> patterns, List<String> unless) {
        return profile(patterns.getFirst().kind())
                .flatMap(p -> {
                    boolean alone =
                            patterns.stream()
                                    .anyMatch(pattern ->
                                            find(p, List.of(pattern.frames()), unless)
                                                    .filter(s -> s.share() >= pattern.share())
                                                    .isPresent());
                    double largest =
                            patterns.stream().mapToDouble(Seen.Stack::share).max().orElseThrow();
                    return find(p, patterns.stream().map(Seen.Stack::frames).toList(), unless)
                            .filter(s -> alone || s.share() >= largest);
                });
    }

    /// Returns the share of the samples of one kind that have a frame with this beginning.
    double share(Profile.Kind kind, String frame) {
        return profile(kind)
                .flatMap(p -> find(p, List.of(List.of(frame)), List.of()))
                .map(Sighting::share)
                .orElse(0.0);
    }

    /// Returns the share of the CPU samples in a method, including JDK and native code that it
    /// calls.
    double shareOfCpuAt(String method) {
        return profile(Profile.Kind.CPU)
                .map(p ->
                        (double) p.samplesByApplicationFrame().getOrDefault(method, 0L)
                                / p.root().samples())
                .orElse(0.0);
    }

    boolean has(Profile.Kind kind) {
        return profile(kind).isPresent();
    }

    private Optional<Profile> profile(Profile.Kind kind) {
        return insight.profiles().stream()
                .filter(p -> p.kind() == kind && p.root().samples() > 0)
                .max(Comparator.comparingInt(Profile::concurrency))
                .or(() -> kind == Profile.Kind.CPU ? ofPlaces() : Optional.empty());
    }

    /// Returns a profile made from the running threads of the dumps, if there is no real one. It
    /// has the application's frame and the called one.
    private Optional<Profile> ofPlaces() {
        return evidence.saturated()
                .map(seen -> {
                    List<Profile.Node> stacks =
                            seen.busy().stream()
                                    .filter(b -> b.cause() == Cause.CPU)
                                    .flatMap(b -> stack(b).stream())
                                    .toList();
                    long all = Math.round(seen.threads(Cause.CPU) * SAMPLES_PER_THREAD);
                    var pools = List.of(new Profile.Node("", all, stacks));
                    return new Profile(
                            Profile.Kind.CPU,
                            "dumps",
                            seen.concurrency(),
                            seen.qps(),
                            1 / SAMPLES_PER_THREAD,
                            0,
                            new Profile.Node("", all, pools));
                })
                .filter(p -> p.root().samples() > 0);
    }

    private static Optional<Profile.Node> stack(ThreadSamples.Busy busy) {
        long samples = Math.round(busy.threads() * SAMPLES_PER_THREAD);
        return busy.place() instanceof Place.Code(Optional<String> called, String frame)
                ? Optional.of(
                        new Profile.Node(
                                frame,
                                samples,
                                called.stream()
                                        .map(c -> new Profile.Node(c, samples, List.of()))
                                        .toList()))
                : Optional.empty();
    }

    private Optional<Sighting> find(
            Profile profile, List<List<String>> patterns, List<String> unless) {
        Map<Way, Long> found = new HashMap<>();
        var search = new Search(patterns, unless, found);
        for (Profile.Node pool : profile.root().children()) {
            int[] next = search.after(pool.frame(), new int[patterns.size()]);
            pool.children().forEach(f -> search.under(f, next, Optional.empty()));
        }
        long all = found.values().stream().mapToLong(Long::longValue).sum();
        return found.entrySet().stream()
                .max(
                        Map.Entry.<Way, Long>comparingByValue()
                                .thenComparing(e -> e.getKey().toString()))
                .map(e ->
                        new Sighting(
                                (double) all / profile.root().samples(),
                                e.getKey().below(),
                                found.keySet().stream()
                                        .anyMatch(w -> !w.below().equals(e.getKey().below())),
                                e.getKey().at()));
    }

    private final class Search {
        private final List<List<String>> patterns;
        private final List<String> unless;
        private final Map<Way, Long> found;

        Search(List<List<String>> patterns, List<String> unless, Map<Way, Long> found) {
            this.patterns = patterns;
            this.unless = unless;
            this.found = found;
        }

        /// @param next for each pattern, the frame to be found next
        /// @return for each pattern, the frame to be found after this frame
        int[] after(String frame, int[] next) {
            int[] then = next.clone();
            for (int i = 0; i < then.length; i++) {
                List<String> frames = patterns.get(i);
                if (next[i] < frames.size() && frame.startsWith(frames.get(next[i]))) {
                    then[i]++;
                }
            }
            return then;
        }

        /// @param next for each pattern, the frame to be found next
        /// @param at the innermost frame of the application so far
        void under(Profile.Node node, int[] next, Optional<String> at) {
            if (isExcluded(node)) {
                return;
            }
            int[] then = after(node.frame(), next);
            for (int i = 0; i < then.length; i++) {
                if (then[i] == patterns.get(i).size()) {
                    found.merge(new Way(node.frame(), at), counted(node), Long::sum);
                    return;
                }
            }
            Optional<String> here = isApplication(node.frame()) ? Optional.of(node.frame()) : at;
            node.children().forEach(child -> under(child, then, here));
        }

        private boolean isExcluded(Profile.Node node) {
            return unless.stream().anyMatch(node.frame()::startsWith);
        }

        /// Returns the samples of the stacks through this node, except those with an excluded frame
        /// further in. Example: SecureRandom inherits `Random.nextInt`, and a frame of SecureRandom
        /// below it excludes the stack.
        private long counted(Profile.Node node) {
            return node.samples()
                    - node.children().stream()
                            .mapToLong(c -> isExcluded(c) ? c.samples() : c.samples() - counted(c))
                            .sum();
        }

        private boolean isApplication(String frame) {
            return own.isOwn(frame)
                    && patterns.stream().noneMatch(p -> frame.startsWith(packages(p.getLast())));
        }
    }

    /// Returns the package prefix of a library's frame, such as `com.fasterxml.`. Calls within this
    /// prefix do not count as calls of the application.
    private static String packages(String frame) {
        int second = frame.indexOf('.', frame.indexOf('.') + 1);
        return second < 0 ? frame : frame.substring(0, second + 1);
    }
}
