package dev.jdyno.diagnose;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Limits the confidence of a verdict from files that were recorded elsewhere. Files contain no
/// data on sockets, and often none on the machine's CPU use. A bottleneck whose rule needs such
/// data is less certain, or not named.
public final class FileDoubts {
    /// Minimum number of dumps for meaningful means, as for a JVM that is watched.
    private static final int ENOUGH_DUMPS = 10;

    /// Minimum number of dumps at which findings are more than single events.
    private static final int SOME_DUMPS = 3;

    private static final double OF_FEW_DUMPS = 0.6;
    private static final double OF_SINGLE_DUMPS = 0.4;

    /// Maximum confidence for a wait for a task without a full executor. If a call is open, threads
    /// may wait for the answer of an asynchronous client, but only sockets show calls. Only a full
    /// executor would indicate a task.
    private static final double TASK_OR_CALL = 0.4;

    /// Maximum confidence for a wait if all threads of the pool are in use. Requests may wait for a
    /// thread of that pool, but only sockets show them.
    private static final double OF_A_FULL_POOL = 0.45;

    /// Waits during the processing of a request, which are no queues of the service.
    private static final Set<Bottleneck> DELAYS =
            EnumSet.of(
                    Bottleneck.DOWNSTREAM,
                    Bottleneck.DATABASE,
                    Bottleneck.RATE_LIMIT,
                    Bottleneck.DNS,
                    Bottleneck.DISK);

    private FileDoubts() {}

    /// Returns the verdict with the confidence that the files allow.
    public static Verdict applied(Verdict verdict, Evidence evidence) {
        Optional<ThreadSamples> counted = evidence.counted();
        if (verdict.bottleneck() == Bottleneck.LOAD && evidence.cpuUtilisation().isEmpty()) {
            return new Verdict(
                    Bottleneck.UNKNOWN,
                    "",
                    0,
                    Sentence.of(
                            "The threads wait for nothing in particular, and no file says how much"
                                    + " CPU is in use."),
                    verdict.evidence(),
                    verdict.runnersUp());
        }
        double max = 1;
        int dumps = counted.map(ThreadSamples::dumps).orElse(0);
        if (dumps > 0 && dumps < ENOUGH_DUMPS) {
            max = dumps < SOME_DUMPS ? OF_SINGLE_DUMPS : OF_FEW_DUMPS;
        }
        if (verdict.bottleneck() == Bottleneck.POOL_STARVATION
                && counted.stream()
                        .flatMap(c -> c.pools().stream())
                        .noneMatch(FileDoubts::isFullExecutor)) {
            max = Math.min(max, TASK_OR_CALL);
        }
        Optional<ThreadSamples.Pool> full =
                counted.stream()
                        .flatMap(c -> c.pools().stream())
                        .filter(p -> p.serving() && !p.loop() && !p.virtual() && p.isSaturated())
                        .filter(_ -> DELAYS.contains(verdict.bottleneck()))
                        .findFirst();
        if (full.isPresent()) {
            max = Math.min(max, OF_A_FULL_POOL);
        }
        List<RunnerUp> runnersUp = new ArrayList<>(verdict.runnersUp());
        full.ifPresent(pool -> runnersUp.addFirst(mayBe(pool)));
        return new Verdict(
                verdict.bottleneck(),
                verdict.where(),
                Math.min(max, verdict.confidence()),
                verdict.says(),
                verdict.evidence(),
                runnersUp);
    }

    private static RunnerUp mayBe(ThreadSamples.Pool pool) {
        return new RunnerUp(
                Bottleneck.THREAD_POOL,
                OF_A_FULL_POOL,
                true,
                Optional.empty(),
                Sentence.format(
                        "no thread of %s is idle in the dumps (%.0f threads); how many requests wait"
                                + " for one is in sockets, which no file has",
                        pool.name(), pool.size()));
    }

    private static boolean isFullExecutor(ThreadSamples.Pool pool) {
        return !pool.serving() && !pool.virtual() && pool.busy() > 0 && pool.isSaturated();
    }
}
