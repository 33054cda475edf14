package dev.jdyno.measure.thread;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Thread samples as a tree of stacks, as a flame graph shows them.
///
/// @param source the sampler: `async-profiler`, `jfr jdk.CPUTimeSample` (with the number of lost
///   samples), `jfr jdk.ExecutionSample`, `dumps`
/// @param concurrency the load's concurrency in the window
/// @param qps throughput in the window
/// @param threadsPerSample mean number of threads (of cores, for CPU) that one sample represents
/// @param pruned number of samples in branches that were too small to be kept; the nodes above
///   include them
/// @param root node of all samples. Its children are the thread pools; below them are the frames,
///   the outermost first.
public record Profile(
        Kind kind,
        String source,
        int concurrency,
        double qps,
        double threadsPerSample,
        long pruned,
        Node root) {
    private static final Pattern JDK = Pattern.compile("^(java|javax|jdk|sun|com\\.sun)\\.");

    /// Suffixes that compilers append to the name of a native function, and names of native
    /// libraries.
    private static final Pattern NATIVE_SUFFIX =
            Pattern.compile(
                    "^[^.]*\\.(isra|constprop|part|cold|llvm|lto_priv|so)(\\.|$)|_\\[k]$|^\\[");

    /// Frames of the flight recorder and of the profiler: jdk.jfr.internal.StringPool,
    /// JfrStackTrace::record, ObjectSampler::sample, Profiler::recordSample
    private static final Pattern OBSERVER =
            Pattern.compile(
                    "^(jdk\\.jfr|one\\.profiler|io\\.asyncprofiler)\\.|^_*Jfr|^ObjectSampler::|^Profiler::");

    /// The kind of samples.
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
    /// @param samples number of samples that contain the frame at this position, including the
    ///   frames that it called
    public record Node(String frame, long samples, List<Node> children) {
        public Node {
            children = List.copyOf(children);
        }

        /// Samples with this frame on top, or in a pruned branch.
        public long self() {
            return samples - children.stream().mapToLong(Node::samples).sum();
        }
    }

    /// True if a frame belongs to the JDK, or to an API in packages of the same prefix
    /// (`javax.servlet`). It is then not code of the user.
    ///
    /// @param frame `class.method`
    public static boolean isOfTheJdk(String frame) {
        return JDK.matcher(frame).find();
    }

    /// True if a frame is not a Java method but a function of the JVM, of a native library or of
    /// the kernel. The name of a Java method has its class before a dot.
    public static boolean isNative(String frame) {
        return frame.indexOf('.') < 0
                || frame.contains("::")
                || NATIVE_SUFFIX.matcher(frame).find();
    }

    /// True if a frame is a Java method of the service or of a library, not of the JDK.
    public static boolean isOfTheApplication(String frame) {
        return !isNative(frame) && !isOfTheJdk(frame);
    }

    /// The frame to which the time of `frame` is attributed: the innermost frame of the application
    /// on the stack down to `frame`. If there is none, it is `frame` itself.
    ///
    /// @param caller the owner of the calling frame
    public static String owner(String frame, String caller) {
        return isOfTheApplication(frame) || !isOfTheApplication(caller) ? frame : caller;
    }

    /// ms per request that these samples represent (Little); 0 without throughput.
    public double perRequestMs(long samples) {
        return qps <= 0 ? 0 : samples * threadsPerSample / qps * 1000;
    }

    /// Samples by the innermost frame of the application: time in the JDK and in native code counts
    /// for the method that called it. A sample without such a frame counts for its innermost frame.
    public Map<String, Long> samplesByApplicationFrame() {
        return byApplicationFrame();
    }

    private Map<String, Long> byApplicationFrame() {
        Map<String, Long> samples = new HashMap<>();
        root.children().forEach(pool -> pool.children().forEach(f -> add(f, f.frame(), samples)));
        return samples;
    }

    private static void add(Node node, String caller, Map<String, Long> samples) {
        String frame = owner(node.frame(), caller);
        samples.merge(frame, node.self(), Long::sum);
        node.children().forEach(child -> add(child, frame, samples));
    }

    /// Samples of the threads of a pool.
    public long samplesOf(String pool) {
        return root.children().stream()
                .filter(p -> p.frame().equals(pool))
                .mapToLong(Node::samples)
                .sum();
    }

    /// Samples by the outermost frame of the application, which shows what the application was
    /// asked to do. Stacks without such a frame are not counted.
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

    /// The profile without samples of the flight recorder's or the profiler's own work.
    public Profile withoutObserver() {
        Node left = without(root);
        return left.samples() == root.samples()
                ? this
                : new Profile(kind, source, concurrency, qps, threadsPerSample, pruned, left);
    }

    private static Node without(Node node) {
        List<Node> children =
                node.children().stream()
                        .filter(c -> !OBSERVER.matcher(c.frame()).find())
                        .map(Profile::without)
                        .filter(c -> c.samples() > 0)
                        .toList();
        long left = children.stream().mapToLong(Node::samples).sum();
        return new Node(node.frame(), node.self() + left, children);
    }

    public Profile at(int heldConcurrency, double measuredQps) {
        return new Profile(
                kind, source, heldConcurrency, measuredQps, threadsPerSample, pruned, root);
    }
}
