package dev.jdyno.observe.threads;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.host.SchedProbe.Times;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Map;

/// The CPU that a JVM's JIT compilers take. While they still compile the methods that a request
/// runs, the service gets faster, and they take the cores from it.
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

    /// @param name of a thread, as the kernel has it
    public static boolean isOne(String name) {
        return NAMES.stream().anyMatch(name::startsWith);
    }

    /// CPU seconds since the last call; at first, since the JVM's start. The JVM ends compiler
    /// threads that have nothing to do: what they took in their last moment is not seen.
    public double takeSeconds() {
        Map<Long, Times> now =
                threads.read(
                                threads.threads().stream()
                                        .filter(tid -> isOne(names.name(tid)))
                                        .toList())
                        .byThread();
        long nanos =
                now.entrySet().stream()
                        .mapToLong(e ->
                                e.getValue().onCpu() - last.getOrDefault(e.getKey(), NONE).onCpu())
                        .filter(used -> used > 0)
                        .sum();
        last = now;
        return nanos / 1e9;
    }
}
