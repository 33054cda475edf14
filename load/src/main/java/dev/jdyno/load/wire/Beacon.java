package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// A name that only one process of this machine can hold at a time, and that other processes can
/// look up. It is a Unix socket in the kernel's abstract namespace. No file is written, and the
/// kernel frees the name when its holder ends in any way. All users of the same network namespace
/// see the name.
public final class Beacon implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int SO_PEERCRED = 17;

    /// `struct ucred`: pid, uid, gid.
    private static final int UCRED_BYTES = 12;

    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private final int descriptor;
    private final AtomicBoolean lit = new AtomicBoolean(true);

    private Beacon(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @return empty if another process has the name, or if this system has no such names
    public static Optional<Beacon> light(String name) {
        if (!LINUX) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int fd = kernel.socket(Kernel.AF_UNIX);
            if (fd < 0) {
                return Optional.empty();
            }
            if (kernel.bind(fd, address(arena, name)) < 0 || Calls.listen(arena, fd) < 0) {
                kernel.close(fd);
                return Optional.empty();
            }
            return Optional.of(new Beacon(fd));
        }
    }

    /// The process that holds a name.
    ///
    /// @return empty if the name is free; 0 if the holder is not visible from here
    public static Optional<Long> holder(String name) {
        if (!LINUX) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int fd = kernel.socket(Kernel.AF_UNIX);
            if (fd < 0) {
                return Optional.empty();
            }
            try {
                int connected = kernel.connect(fd, address(arena, name));
                // EAGAIN: the holder's queue of connections is full, but it exists
                return connected == 0 || connected == -Kernel.EAGAIN
                        ? Optional.of(connected == 0 ? Calls.peer(arena, fd) : 0L)
                        : Optional.empty();
            } finally {
                kernel.close(fd);
            }
        }
    }

    /// `struct sockaddr_un` with a path that begins with a zero byte.
    private static MemorySegment address(Arena arena, String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        MemorySegment address = arena.allocate(3L + text.length, 2);
        address.set(JAVA_SHORT, 0, (short) Kernel.AF_UNIX);
        MemorySegment.copy(text, 0, address, JAVA_BYTE, 3, text.length);
        return address;
    }

    @Override
    public void close() {
        // close only once: the number may belong to another file later
        if (lit.compareAndSet(true, false)) {
            try (Arena arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }

    /// Two system calls that only this class needs, with the signatures of `man 2`.
    private static final class Calls {
        private static final MethodHandle LISTEN =
                Kernel.call("listen", Kernel.ints(JAVA_INT, JAVA_INT), Kernel.WITH_ERRNO);
        private static final MethodHandle GETSOCKOPT =
                Kernel.call(
                        "getsockopt",
                        Kernel.ints(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS),
                        Kernel.WITH_ERRNO);

        static int listen(Arena arena, int fd) {
            try {
                return (int) LISTEN.invokeExact(arena.allocate(Kernel.ERRNO_STATE), fd, BACKLOG);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }

        /// The pid of the listener; 0 if it is not visible from here.
        static long peer(Arena arena, int fd) {
            MemorySegment ucred = arena.allocate(UCRED_BYTES, 4);
            MemorySegment length = arena.allocate(JAVA_INT);
            length.set(JAVA_INT, 0, UCRED_BYTES);
            try {
                int failed =
                        (int)
                                GETSOCKOPT.invokeExact(
                                        arena.allocate(Kernel.ERRNO_STATE),
                                        fd,
                                        Kernel.SOL_SOCKET,
                                        SO_PEERCRED,
                                        ucred,
                                        length);
                return failed == 0 ? ucred.get(JAVA_INT, 0) : 0;
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
