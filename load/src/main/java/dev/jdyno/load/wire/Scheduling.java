package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;

/// What one thread asks of the kernel's scheduler and timers, so that it sends on time. Called by
/// that thread only.
final class Scheduling {
    private static final int PR_SET_TIMERSLACK = 29;

    private static final MethodHandle PRCTL =
            Kernel.call(
                    "prctl", Kernel.ints(JAVA_INT, JAVA_LONG), Linker.Option.firstVariadicArg(1));

    private static final MethodHandle SYSCALL =
            Kernel.call(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Kernel.WITH_ERRNO,
                    Linker.Option.firstVariadicArg(1));

    private static final boolean X86_64 = System.getProperty("os.arch", "").equals("amd64");
    private static final long SCHED_SETATTR = X86_64 ? 314 : 274;
    private static final long SCHED_GETATTR = X86_64 ? 315 : 275;

    /// The first `struct sched_attr`: size, policy, flags, nice, priority, runtime, deadline,
    /// period.
    private static final long SCHED_ATTR_BYTES = 48;

    private static final long SCHED_NICE_OFFSET = 16;
    private static final long SCHED_RUNTIME_OFFSET = 24;

    /// Before all others. A thread that has just run is not owed the core again under EEVDF before
    /// others have caught up, and waits for the end of another's turn, some 3 ms: at this weight 70
    /// µs on the core are a debt of 0.8 µs, at nice −10 of 7 µs (docs/adr/008).
    private static final int URGENT_NICE = -20;

    /// The least the kernel takes.
    private static final long SHORTEST_TURN_NANOS = 100_000;

    /// Shorter than others' turns on two cores and more (1.4 ms there), which is what an early turn
    /// takes; but at the end of each, others have theirs, so that the shortest lose the core most.
    private static final long URGENT_TURN_NANOS = 1_000_000;

    /// What the thread's user chose for it, once it has been asked.
    private OptionalInt ownNice = OptionalInt.empty();

    /// Asks the scheduler for short turns on the core, and so for an early one, for the calling
    /// thread (EEVDF's request size, Linux 6.12 and later): woken for a due send, it need not wait
    /// for the end of another thread's turn of some 3 ms. Older kernels do nothing.
    ///
    /// @param urgent whether it is to go before other threads as well, where that is allowed
    ///   (CAP_SYS_NICE) and its user has not made it nicer than others
    void shortTurns(boolean urgent) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(SCHED_ATTR_BYTES, 8);
            if (schedule(SCHED_GETATTR, attributes, SCHED_ATTR_BYTES) < 0) {
                return;
            }
            int nice = attributes.get(JAVA_INT, SCHED_NICE_OFFSET);
            int own = ownNice.orElse(nice);
            ownNice = OptionalInt.of(own);
            boolean first = urgent && own <= 0;
            attributes.set(
                    JAVA_LONG,
                    SCHED_RUNTIME_OFFSET,
                    first ? URGENT_TURN_NANOS : SHORTEST_TURN_NANOS);
            attributes.set(JAVA_INT, SCHED_NICE_OFFSET, first ? URGENT_NICE : own);
            if (schedule(SCHED_SETATTR, attributes, 0) < 0) {
                attributes.set(JAVA_LONG, SCHED_RUNTIME_OFFSET, SHORTEST_TURN_NANOS);
                attributes.set(JAVA_INT, SCHED_NICE_OFFSET, nice);
                long _ = schedule(SCHED_SETATTR, attributes, 0);
            }
        }
    }

    private static long schedule(long call, MemorySegment attributes, long size) {
        try (Arena arena = Arena.ofConfined()) {
            return (long)
                    SYSCALL.invokeExact(
                            arena.allocate(Kernel.ERRNO_STATE),
                            call,
                            0L,
                            attributes.address(),
                            size,
                            0L);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// Lets timers of the calling thread fire on time: by default the kernel may be 50 µs late to
    /// save wake-ups, which is what the send precision of the open model cannot afford.
    static void preciseTimers() {
        try {
            int _ = (int) PRCTL.invokeExact(PR_SET_TIMERSLACK, 1L);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
