package dev.jdyno.observe;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.host.Neighbours;
import dev.jdyno.target.ProcFs;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/// Checks each second of a measuring test which other processes use the cores, and how much of them
/// the hypervisor takes. If that is too much, a failure of the test counts as skipped.
final class OthersOnTheMachine
        implements BeforeTestExecutionCallback,
                AfterTestExecutionCallback,
                TestExecutionExceptionHandler {
    /// Minimum share of the machine that other processes and the hypervisor must take in a second.
    /// The same share gives the verdict `cpu-neighbour`.
    static final double HELD = 0.25;

    /// Minimum number of such seconds for which a failure is not judged. Two such seconds can
    /// disturb two rounds at most.
    static final int SECONDS_HELD = 3;

    private static final long SECOND_MS = 1000;

    /// Place of the stolen ticks in the line `cpu user nice system idle iowait irq softirq steal`.
    private static final int STEAL_FIELD = 8;

    /// Linux fixes USER_HZ, the unit of `/proc/stat`, at 100 on every architecture of interest.
    private static final double TICKS_PER_SECOND = 100;

    private static final Namespace OURS = Namespace.create(OthersOnTheMachine.class);

    @Override
    public void beforeTestExecution(ExtensionContext test) {
        test.getStore(OURS).put("watch", new Watch());
    }

    @Override
    public void afterTestExecution(ExtensionContext test) {
        watch(test).close();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        Optional<String> others = watch(test).whoHeldIt();
        if (others.isEmpty()) {
            throw failure;
        }
        throw new TestAbortedException(
                "not judged: others held the machine: %s; it failed with: %s"
                        .formatted(others.get(), failure.getMessage()),
                failure);
    }

    private static Watch watch(ExtensionContext test) {
        return Objects.requireNonNull(test.getStore(OURS).get("watch", Watch.class));
    }

    /// Records the seconds of one test.
    static final class Watch implements AutoCloseable {
        private final Timer looks = new Timer("others", true);
        private final int cores;
        private Optional<Neighbours.Reading> last = Optional.empty();
        private long lastNanos;
        private long lastStolen;
        private int seconds;
        private int held;
        private double max;
        private String names = "";

        Watch() {
            this(Runtime.getRuntime().availableProcessors());
            look();
            // not at a fixed rate: after a pause of this process, no time would be between two
            // looks, and one tick would count as many cores
            looks.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            look();
                        }
                    },
                    SECOND_MS,
                    SECOND_MS);
        }

        /// A watch whose seconds a test gives.
        Watch(int cores) {
            this.cores = cores;
        }

        private synchronized void look() {
            var others = new Neighbours(ProcFs.SYSTEM, ours());
            Neighbours.Reading now = last.map(others::read).orElseGet(others::read);
            long stolen = stolenTicks(ProcFs.SYSTEM);
            long nanos = NanoClock.SYSTEM.nanos();
            double between = (nanos - lastNanos) / 1e9;
            double stolenCores = (stolen - lastStolen) / TICKS_PER_SECOND / between;
            // a process that started since then has all its CPU time in these ticks
            last.ifPresent(l -> second(others.between(l, now, between), stolenCores));
            last = Optional.of(now);
            lastNanos = nanos;
            lastStolen = stolen;
        }

        /// @param stolenCores cores that the hypervisor gave to other machines although this one
        ///   wanted them
        synchronized void second(Signals others, double stolenCores) {
            seconds++;
            double used = others.of(Sign.NEIGHBOUR_CORES).orElse(0.0);
            if ((used + stolenCores) / cores >= HELD) {
                held++;
            }
            if (used + stolenCores > max) {
                max = used + stolenCores;
                names = names(others, stolenCores);
            }
        }

        private static String names(Signals others, double stolenCores) {
            String processes = others.place(Sign.NEIGHBOUR_CORES).orElse("");
            return stolenCores > 0
                    ? String.format(
                            Locale.ROOT, "%s; hypervisor (steal) %.1f", processes, stolenCores)
                    : processes;
        }

        /// Processes that used the machine, and for how long; empty if no second exceeded the
        /// limit.
        synchronized Optional<String> whoHeldIt() {
            return held < SECONDS_HELD
                    ? Optional.empty()
                    : Optional.of(
                            String.format(
                                    Locale.ROOT,
                                    "in %d of %d s they used %.0f %% of its cores or more, most:"
                                            + " %s",
                                    held,
                                    seconds,
                                    100 * HELD,
                                    names));
        }

        @Override
        public void close() {
            looks.cancel();
        }
    }

    /// Ticks of all cores since the boot that the hypervisor took; 0 if the system does not report
    /// them.
    static long stolenTicks(ProcFs proc) {
        String[] fields =
                proc.text("stat").flatMap(t -> t.lines().findFirst()).orElse("").split("\\s+", -1);
        return fields.length > STEAL_FIELD ? Long.parseLong(fields[STEAL_FIELD]) : 0;
    }

    /// This process, its descendants, and its ancestors, which wait for it.
    private static Set<Long> ours() {
        var ours = new HashSet<Long>();
        ProcessHandle self = ProcessHandle.current();
        ours.add(self.pid());
        self.descendants().forEach(p -> ours.add(p.pid()));
        Stream.iterate(self.parent(), Optional::isPresent, p -> p.flatMap(ProcessHandle::parent))
                .forEach(p -> ours.add(p.orElseThrow().pid()));
        return ours;
    }
}
