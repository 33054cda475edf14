package dev.jdyno.measure.thread;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Where threads were, as a tree of stacks: what a flame graph shows.
///
/// @param source who sampled: `async-profiler`, `jfr jdk.CPUTimeSample` (with how many were lost),
///   `jfr jdk.ExecutionSample`, `dumps`
/// @param concurrency the load's concurrency in the window
/// @param qps its throughput
/// @param threadsPerSample mean number of threads (of cores, for CPU) that one sample stands for
/// @param pruned samples in branches too thin to be kept; they count in the nodes above
/// @param root all samples; below it the thread pools, below them the frames from the outermost in
public record Profile(
        Kind kind,
        String source,
        int concurrency,
        double qps,
        double threadsPerSample,
        long pruned,
        Node root) {
    private static final Pattern JDK = Pattern.compile("^(java|javax|jdk|sun|com\\.sun)\\.");

    /// What is sampled.
    public enum Kind {
        /// Threads on a core.
        CPU("cpu"),
        /// Busy threads, on a core or waiting; idle pool threads are left out.
        WALL("wall");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// A frame below the frames above it.
    ///
    /// @param samples in which it was found there, itself or what it called
    public record Node(String frame, long samples, List<Node> children) {
        public Node {
            children = List.copyOf(children);
        }

        /// Samples in which it was itself on top, or in a branch that was pruned.
        public long self() {
            return samples - children.stream().mapToLong(Node::samples).sum();
        }
    }

    /// Whether a frame is the JDK's own, or of an API in its packages (`javax.servlet`): nobody's
    /// who reads it.
    ///
    /// @param frame `class.method`
    public static boolean isOfTheJdk(String frame) {
        return JDK.matcher(frame).find();
    }

    /// ms of one request that so many samples stand for (Little); 0 without throughput.
    public double perRequestMs(long samples) {
        return qps <= 0 ? 0 : samples * threadsPerSample / qps * 1000;
    }

    /// Samples by the innermost frame that is not the JDK's own: what is spent in the JDK counts
    /// for the method that called it. Samples without such a frame count for the innermost one.
    public Map<String, Long> samplesByApplicationFrame() {
        return byApplicationFrame(_ -> true);
    }

    /// The innermost frame that is not the JDK's own in most samples of one pool's threads; empty
    /// where it has none.
    public Optional<String> mostFoundIn(String pool) {
        return byApplicationFrame(pool::equals).entrySet().stream()
                .filter(e -> e.getValue() > 0 && !isOfTheJdk(e.getKey()))
                .max(
                        Map.Entry.<String, Long>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey);
    }

    private Map<String, Long> byApplicationFrame(Predicate<String> ofPool) {
        Map<String, Long> samples = new HashMap<>();
        root.children().stream()
                .filter(pool -> ofPool.test(pool.frame()))
                .forEach(pool -> pool.children().forEach(f -> add(f, f.frame(), samples)));
        return samples;
    }

    private static void add(Node node, String caller, Map<String, Long> samples) {
        String frame = isOfTheJdk(node.frame()) ? caller : node.frame();
        samples.merge(frame, node.self(), Long::sum);
        node.children().forEach(child -> add(child, frame, samples));
    }

    /// Samples by the outermost frame of the application: what it was asked to do. Samples of
    /// stacks without such a frame are in none of them.
    public Map<String, Long> samplesByFirstFrame(Predicate<String> isOfTheApplication) {
        Map<String, Long> samples = new HashMap<>();
        root.children()
                .forEach(pool ->
                        pool.children().forEach(f -> addFirst(f, isOfTheApplication, samples)));
        return samples;
    }

    private static void addFirst(
            Node node, Predicate<String> isOfTheApplication, Map<String, Long> samples) {
        if (isOfTheApplication.test(node.frame())) {
            samples.merge(node.frame(), node.samples(), Long::sum);
        } else {
            node.children().forEach(child -> addFirst(child, isOfTheApplication, samples));
        }
    }

    public Profile at(int heldConcurrency, double measuredQps) {
        return new Profile(
                kind, source, heldConcurrency, measuredQps, threadsPerSample, pruned, root);
    }
}
