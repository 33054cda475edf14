package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;

/// Scheduler and timer settings that let a thread send on time. They apply to the calling thread.
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

    /// Size of the first version of `struct sched_attr`: size, policy, flags, nice, priority,
    /// runtime, deadline, period.
    private static final long SCHED_ATTR_BYTES = 48;

    private static final long SCHED_NICE_OFFSET = 16;
    private static final long SCHED_RUNTIME_OFFSET = 24;

    /// The highest priority. Linux's scheduler EEVDF lets a thread that has just run wait until the
    /// others have caught up. It also waits for the end of another thread's turn, some 3 ms. With
    /// this nice value, 70 µs on the core count as 0.8 µs that the others must catch up; with nice
    /// −10 they count as 7 µs (docs/adr/008).
    private static final int URGENT_NICE = -20;

    /// The shortest turn (time slice) that the kernel accepts.
    private static final long SHORTEST_TURN_NANOS = 100_000;

    /// A turn shorter than those of other threads (1.4 ms on two or more cores), so that this
    /// thread runs early. It is not the shortest possible: other threads run at the end of each
    /// turn, so the shortest turns lose the core most often.
    private static final long URGENT_TURN_NANOS = 1_000_000;

    /// The nice value that the user chose for the thread; empty until it has been read.
    private OptionalInt ownNice = OptionalInt.empty();

    /// Requests short turns, and so early ones, for the calling thread (EEVDF's request size, Linux
    /// 6.12 and later). When it is woken for a due send, it does not have to wait for the end of
    /// another thread's turn of some 3 ms. Older kernels ignore this.
    ///
    /// @param urgent true to give the thread priority over others, too. This takes effect if it is
    ///   allowed (CAP_SYS_NICE) and the user has not given the thread a positive nice value.
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

    /// Makes the timers of the calling thread precise. By default the kernel may fire them 50 µs
    /// late to save wake-ups, which is too imprecise for the sends of the open model.
    static void preciseTimers() {
        try {
            int _ = (int) PRCTL.invokeExact(PR_SET_TIMERSLACK, 1L);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
