package dev.jdyno.target;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// An exclusive `flock` on a file that may only be read. Java's own `FileLock` is another kind
/// (POSIX record locks) and wants the file opened for writing.
final class FileLock implements AutoCloseable {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int EWOULDBLOCK = 11;
    private static final int EINTR = 4;

    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private FileLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @param lock empty when it is not ours
    /// @param errno the kernel's reason then
    /// @param call that failed
    record Result(Optional<FileLock> lock, int errno, String call) {
        /// Whether another process has it.
        boolean isTaken() {
            return lock.isEmpty() && errno == EWOULDBLOCK && call.equals("flock");
        }

        String why() {
            return call + " failed with errno " + errno;
        }
    }

    static Result tryOn(Path file) {
        if (!Calls.AVAILABLE) {
            return new Result(Optional.empty(), 0, "this is no Linux; flock");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(Calls.STATE);
            int descriptor = Calls.open(errno, arena.allocateFrom(file.toString()));
            if (descriptor < 0) {
                return new Result(Optional.empty(), Calls.errno(errno), "open");
            }
            int failed;
            do {
                failed = Calls.flock(errno, descriptor) == 0 ? 0 : Calls.errno(errno);
            } while (failed == EINTR);
            if (failed != 0) {
                Calls.close(errno, descriptor);
                return new Result(Optional.empty(), failed, "flock");
            }
            return new Result(Optional.of(new FileLock(descriptor)), 0, "flock");
        }
    }

    @Override
    public void close() {
        // never twice: the number may be another file's by then
        if (open.compareAndSet(true, false)) {
            try (Arena arena = Arena.ofConfined()) {
                Calls.close(arena.allocate(Calls.STATE), descriptor);
            }
        }
    }

    /// Linked when a lock is wanted only.
    private static final class Calls {
        static final boolean AVAILABLE = System.getProperty("os.name", "").equals("Linux");
        static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO =
                STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle OPEN =
                handle(
                        "open",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.captureCallState("errno"),
                        Linker.Option.firstVariadicArg(2));
        private static final MethodHandle FLOCK =
                handle(
                        "flock",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
                        Linker.Option.captureCallState("errno"));
        private static final MethodHandle CLOSE =
                handle(
                        "close",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT),
                        Linker.Option.captureCallState("errno"));

        // restricted because a wrong signature crashes the JVM: these are the ones of the man pages
        @SuppressWarnings("restricted")
        private static MethodHandle handle(
                String name, FunctionDescriptor signature, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name), signature, options);
        }

        static int errno(MemorySegment state) {
            return (int) ERRNO.get(state, 0L);
        }

        static int open(MemorySegment errno, MemorySegment path) {
            try {
                return (int) OPEN.invokeExact(errno, path, O_RDONLY_CLOEXEC);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }

        static int flock(MemorySegment errno, int descriptor) {
            try {
                return (int) FLOCK.invokeExact(errno, descriptor, LOCK_EX_NB);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }

        static void close(MemorySegment errno, int descriptor) {
            try {
                int _ = (int) CLOSE.invokeExact(errno, descriptor);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
