package dev.jdyno.observe.threads;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.host.SchedProbe.Times;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// CPU time that a JVM's JIT compilers use, and for which they wait. While they compile the methods
/// of a request, the service becomes faster, and they take cores from it. If the service takes the
/// cores from them, they use little CPU and wait for it all the time. So their CPU use alone does
/// not show that they have work.
public final class CompilerThreads {
    // comm holds 15 characters: "C2 CompilerThre"
    private static final List<String> NAMES = List.of("C1 Comp", "C2 Comp", "JVMCI");

    private static final Times NONE = new Times(0, 0);

    private final SchedProbe threads;
    private final KernelThreads names;
    private Map<Long, Times> last = Map.of();

    public CompilerThreads(ProcFs proc, long pid) {
        this.threads = new SchedProbe(proc, pid, NanoClock.SYSTEM);
        this.names = new KernelThreads(proc, pid);
    }

    /// Total time of all compiler threads in some period, in seconds of one thread.
    ///
    /// @param used time on a core
    /// @param waited time in a run queue
    public record Taken(double used, double waited) {}

    /// @param name the kernel's name of a thread
    public static boolean isOne(String name) {
        return NAMES.stream().anyMatch(name::startsWith);
    }

    /// The reason why this data is missing; empty if the kernel counts it.
    public Optional<String> missing() {
        return threads.missing();
    }

    /// Times since the last call; at first, since the JVM's start. The JVM ends idle compiler
    /// threads: their use since the last call is not counted.
    public Taken take() {
        Map<Long, Times> now =
                threads.read(
                                threads.threads().stream()
                                        .filter(tid -> isOne(names.name(tid)))
                                        .toList())
                        .byThread();
        var taken = new Taken(since(now, Times::onCpu), since(now, Times::waiting));
        last = now;
        return taken;
    }

    private double since(Map<Long, Times> now, ToLongFunction<Times> figure) {
        long nanos =
                now.entrySet().stream()
                        .mapToLong(e ->
                                figure.applyAsLong(e.getValue())
                                        - figure.applyAsLong(last.getOrDefault(e.getKey(), NONE)))
                        .filter(more -> more > 0)
                        .sum();
        return nanos / 1e9;
    }
}
