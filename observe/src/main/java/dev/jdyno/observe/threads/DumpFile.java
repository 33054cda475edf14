package dev.jdyno.observe.threads;

import dev.jdyno.foreign.ForeignNumber;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/// A file that `Thread.dump_to_file -format=json` wrote (JDK 21+), read without its JVM.
///
/// @param at time of the dump; empty if the file does not contain it
/// @param version of the JVM
/// @param states whether it has the states of threads (JDK 24+): without them a thread that waits
///   for a monitor looks as if it ran
public record DumpFile(
        Optional<Instant> at,
        Optional<String> version,
        Optional<Long> pid,
        ThreadDump platform,
        VirtualSample virtual,
        boolean states) {
    /// Maximum number of platform threads that are kept.
    private static final int MAX_PLATFORM = 20_000;

    /// Any value: with the same seed the same file gives the same sample.
    private static final long SEED = 1;

    /// The first format whose threads have states.
    private static final long FORMAT_WITH_STATES = 2;

    /// @throws IOException when the file is not such a dump, or has too many threads
    public static DumpFile read(InputStream json) throws IOException {
        var head = new Head();
        VirtualSample virtual =
                VirtualSample.read(
                        json, VirtualThreads.MAX_THREADS, new SplittableRandom(SEED), head);
        if (head.tooMany) {
            throw new IOException(
                    "it has more than " + MAX_PLATFORM + " threads of the operating system");
        }
        return new DumpFile(
                head.at,
                head.version,
                head.pid,
                new ThreadDump(head.platform),
                virtual,
                head.states);
    }

    private static final class Head implements VirtualSample.Taker {
        private final List<JavaThread> platform = new ArrayList<>();
        private Optional<Instant> at = Optional.empty();
        private Optional<String> version = Optional.empty();
        private Optional<Long> pid = Optional.empty();
        private boolean states;
        private boolean tooMany;

        @Override
        public void property(String name, String value) {
            switch (name) {
                case "time" -> at = instant(value);
                case "runtimeVersion" -> version = Optional.of(value);
                case "processId" -> pid = number(value);
                case "formatVersion" ->
                        states = number(value).filter(v -> v >= FORMAT_WITH_STATES).isPresent();
                default -> {
                    // other properties (container, parent, owner) are not needed
                }
            }
        }

        @Override
        public void platform(JavaThread thread, long javaId) {
            if (platform.size() == MAX_PLATFORM) {
                tooMany = true;
                return;
            }
            platform.add(ofKernel(thread, javaId));
        }

        /// The thread with its Java id in place of the kernel's id, which the file does not
        /// contain. The id is at least 1, because 0 marks a virtual thread.
        private JavaThread ofKernel(JavaThread thread, long javaId) {
            return new JavaThread(
                    thread.name(),
                    Math.max(1, javaId),
                    states ? state(thread) : byFrames(thread),
                    Optional.empty(),
                    thread.frames(),
                    thread.waitsFor(),
                    thread.locked(),
                    false,
                    thread.sources());
        }

        private static State state(JavaThread thread) {
            return thread.state() == State.WAITING && sleeps(thread)
                    ? State.SLEEPING
                    : thread.state();
        }

        private static State byFrames(JavaThread thread) {
            if (sleeps(thread)) {
                return State.SLEEPING;
            }
            String top = thread.frames().isEmpty() ? "" : thread.frames().getFirst();
            return top.equals("jdk.internal.misc.Unsafe.park")
                            || top.startsWith("java.lang.Object.wait")
                    ? State.WAITING
                    : State.RUNNABLE;
        }

        private static boolean sleeps(JavaThread thread) {
            return !thread.frames().isEmpty()
                    && thread.frames().getFirst().startsWith("java.lang.Thread.sleep");
        }

        private static Optional<Long> number(String value) {
            OptionalLong number = ForeignNumber.whole(value);
            return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
        }

        private static Optional<Instant> instant(String value) {
            try {
                return Optional.of(Instant.parse(value));
            } catch (DateTimeException none) {
                return Optional.empty();
            }
        }
    }
}
