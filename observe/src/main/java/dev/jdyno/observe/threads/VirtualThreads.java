package dev.jdyno.observe.threads;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import dev.jdyno.observe.threads.DumpToFile.Written;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Virtual threads, which `Thread.print` does not show. They are read by `Thread.dump_to_file` (JDK
/// 21+), which takes no safepoint, and only if virtual threads run.
public final class VirtualThreads {
    /// Maximum number of threads in the sample of one dump. A kind with share p of the threads has
    /// a standard error of sqrt(p (1 - p) / 20,000): at most 0.4 percentage points.
    static final int MAX_THREADS = 20_000;

    private static final String SOURCE = "virtual threads";

    private static final String PARKS_CARRIER = "java.lang.VirtualThread.parkOnCarrierThread";

    /// Number of frames from the top that contain the park and its caller: `Unsafe.park`,
    /// `parkOnCarrierThread`, `parkNanos`.
    private static final int PARK_FRAMES = 4;

    /// The thread id used for virtual threads, because the kernel gives them none.
    public static final long TID = 0;

    private static final String CARRIERS = "ForkJoinPool-1-worker";

    /// Maximum duration of a dump for more than one per window. A longer one keeps a core of the
    /// target busy, and its other threads must be observed as well.
    static final double LONG_SECONDS = 1;

    /// Any value: with the same seed the same dump gives the same sample.
    private static final long SEED = 1;

    private final DumpToFile dumps;
    private final int atMost;
    private final RandomGenerator random = new SplittableRandom(SEED);
    private final NanoClock clock;
    private Optional<Written> last = Optional.empty();
    private Optional<VirtualSample> held = Optional.empty();
    private Optional<String> givenUp = Optional.empty();
    private Optional<Unseen> missing = Optional.empty();
    private long tookNanos;

    public VirtualThreads(ProcFs proc, Target target, NanoClock clock) {
        this(new DumpToFile(proc, target, clock), clock, MAX_THREADS);
    }

    public VirtualThreads(DumpToFile dumps, NanoClock clock, int atMost) {
        this.dumps = dumps;
        this.clock = clock;
        this.atMost = atMost;
    }

    /// Begins a window: virtual threads are read again, however long a dump takes.
    public void beginWindow() {
        held = Optional.empty();
        tookNanos = 0;
    }

    /// True if the target runs virtual threads. A target that never ran one has neither their
    /// scheduler nor a carrier. JDK 21 to 23 start the scheduler with the first timed wait. If all
    /// other virtual threads wait for a lock, only the carrier of the running one shows that they
    /// exist.
    public static boolean runIn(ThreadDump dump) {
        return dump.threads().stream().anyMatch(t -> isScheduler(t.name()) || t.carries());
    }

    private static boolean isScheduler(String name) {
        return name.equals("VirtualThread-unparker")
                || name.startsWith("VirtualThread-unblocker")
                || name.equals("ForkJoinPool-1-delayScheduler")
                || name.equals("Read-Poller")
                || name.equals("Write-Poller")
                || name.equals("MasterPoller");
    }

    /// The virtual threads now, or those of the window's first dump if a dump takes long. None when
    /// this JVM does not provide them; {@link #missing} has the reason.
    ///
    /// @param stop ends the wait early
    public VirtualSample look(BooleanSupplier stop) throws InterruptedException {
        if (held.isPresent()) {
            return held.get();
        }
        if (givenUp.isPresent()) {
            return unseen(givenUp.get());
        }
        long start = clock.nanos();
        try {
            Optional<Written> written = dumps.order(last.map(Written::size), stop);
            if (written.isEmpty()) {
                return VirtualSample.NONE;
            }
            return read(written.get());
        } catch (DumpToFile.GivenUp ended) {
            givenUp = Optional.of(ended.why() + "; no further one is made");
            return unseen(givenUp.get());
        } catch (UserError refused) {
            return unseen(refused.why());
        } catch (IOException unreadable) {
            return unseen("its dump cannot be read: " + unreadable.getMessage());
        } finally {
            tookNanos += clock.nanos() - start;
        }
    }

    private VirtualSample read(Written dump) throws IOException {
        last = Optional.of(dump);
        VirtualSample sample;
        try (InputStream json = dumps.read(dump)) {
            sample = VirtualSample.read(json, atMost, random);
        }
        boolean isLong = dump.seconds() > LONG_SECONDS;
        if (isLong) {
            held = Optional.of(sample);
        }
        if (sample.weight() > 1 || isLong) {
            missing = Optional.of(new Unseen(SOURCE, says(sample, dump, isLong)));
        }
        return sample;
    }

    /// The size of a sample in words: `1,000,000 virtual threads, a random 20,000 of them read,
    /// scaled`.
    private static String says(VirtualSample sample, Written dump, boolean isLong) {
        String read =
                String.format(Locale.ROOT, "%,d virtual threads", sample.total())
                        + (sample.weight() > 1
                                ? String.format(
                                        Locale.ROOT,
                                        ", a random %,d of them read, scaled",
                                        sample.threads().size())
                                : ", all of them read");
        return isLong
                ? String.format(
                        Locale.ROOT,
                        "%s; a dump of them took %.1f s (%s on its disk), so there was one in each"
                                + " window",
                        read,
                        dump.seconds(),
                        dump.size())
                : read;
    }

    private VirtualSample unseen(String why) {
        missing = Optional.of(new Unseen(SOURCE, why + "; what they do was not seen"));
        return VirtualSample.NONE;
    }

    /// The missing data on virtual threads in the dumps so far.
    public Optional<Unseen> missing() {
        return missing;
    }

    /// Time in ns that the dumps of this window took.
    public long tookNanos() {
        return tookNanos;
    }

    /// True for a platform thread that runs virtual ones.
    public static boolean isCarrier(JavaThread thread) {
        return thread.name().startsWith(CARRIERS) || thread.frames().contains(JavaThread.CARRIES);
    }

    /// True for a virtual thread that has not started, or is ready to run, and has no carrier.
    public static boolean waitsForCarrier(JavaThread virtual) {
        return virtual.frames().isEmpty() && virtual.state() == State.RUNNABLE;
    }

    /// True for a virtual thread that waits and pins its carrier.
    public static boolean isPinned(JavaThread virtual) {
        return virtual.frames().stream().limit(PARK_FRAMES).anyMatch(PARKS_CARRIER::equals);
    }
}
