package dev.jdyno.observe.jfr;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.observe.stacks.StackTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/// Threads on a core, from the samples of a flight recording. CPU-time samples are weighted by the
/// time that each represents; samples that the JVM lost are a separate entry. The older kind of
/// samples has the right shares but not the right sum. Its sum is scaled to the CPU that the
/// process used.
public final class CpuSamples {
    /// Placeholder for a stack that JFR could not walk.
    static final String NO_STACK = "[no stack]";

    /// Placeholder for samples that the JVM lost, on the level of the thread pools.
    static final String LOST = "[lost samples]";

    private CpuSamples() {}

    /// @param cores CPU that the process used during that time
    /// @return empty when the recording contains no sample of that time
    public static Optional<Profile> read(Path recording, Instant from, Instant to, double cores)
            throws IOException {
        Map<SampleKind, List<ThreadSample>> samples = new EnumMap<>(SampleKind.class);
        var lost = new LongAdder();
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getStartTime().isBefore(from) || !event.getStartTime().isBefore(to)) {
                        return;
                    }
                    if (event.getEventType().getName().equals(SampleKind.LOST)) {
                        lost.add(event.getLong("lostSamples"));
                    }
                    for (SampleKind kind : SampleKind.values()) {
                        ThreadSample.of(kind, event)
                                .ifPresent(s ->
                                        samples.computeIfAbsent(kind, _ -> new ArrayList<>())
                                                .add(s));
                    }
                });
        if (samples.containsKey(SampleKind.CPU_TIME)) {
            double seconds = Duration.between(from, to).toNanos() / 1e9;
            return Optional.of(
                    byCpuTime(
                            samples.getOrDefault(SampleKind.CPU_TIME, List.of()),
                            lost.sum(),
                            seconds));
        }
        var tree = new StackTree();
        samples.getOrDefault(SampleKind.EXECUTION, List.of()).forEach(s -> add(tree, s, 1));
        return tree.samples() == 0
                ? Optional.empty()
                : Optional.of(
                        tree.profile(
                                Profile.Kind.CPU,
                                source(SampleKind.EXECUTION),
                                cores / tree.samples()));
    }

    /// The profile of CPU-time samples. Its unit is the shortest sampling period, because the
    /// period changes with the number of cores.
    static Profile byCpuTime(List<ThreadSample> samples, long lost, double seconds) {
        long unit = samples.stream().mapToLong(s -> Math.max(1, s.cpu().toNanos())).min().orElse(1);
        var tree = new StackTree();
        samples.forEach(
                s -> add(tree, s, Math.max(1, Math.round(s.cpu().toNanos() / (double) unit))));
        if (lost > 0) {
            tree.add(LOST, List.of(), lost);
        }
        return tree.profile(Profile.Kind.CPU, source(SampleKind.CPU_TIME), unit / 1e9 / seconds);
    }

    private static String source(SampleKind kind) {
        return "jfr " + kind.event();
    }

    private static void add(StackTree tree, ThreadSample sample, long times) {
        String name = sample.thread().isEmpty() ? "threads" : sample.thread();
        tree.add(
                PoolName.of(name),
                sample.failed() ? List.of(NO_STACK) : sample.frames().reversed(),
                times);
    }
}
