package dev.jdyno.load.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The dozen Linux calls that the engine needs, through the foreign-function interface (JEP 454).
/// Each returns the kernel's result, and `-errno` if the call failed.
///
/// `send` and `recv` are *critical* calls: they make no thread-state transition, and the kernel
/// gets the array without a copy. That is safe because the sockets are non-blocking: the calls end
/// within microseconds and do not delay a safepoint. Waiting (`epoll_pwait2` with a timeout) is an
/// ordinary call.
final class Kernel {
    static final int EAGAIN = 11;
    static final int EINTR = 4;
    static final int EMFILE = 24;
    static final int ENFILE = 23;
    static final int EPIPE = 32;
    static final int EADDRNOTAVAIL = 99;
    static final int ECONNRESET = 104;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;
    static final int EINPROGRESS = 115;

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_ERROR = 4;
    static final int SO_RCVBUF = 8;
    static final int IPPROTO_IP = 0;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;

    /// Makes the kernel choose the local port at connect, by the whole four-tuple, instead of at
    /// bind. Without it, a source address allows 28,000 connections to all servers together instead
    /// of to each.
    static final int IP_BIND_ADDRESS_NO_PORT = 24;

    static final int EPOLL_CLOEXEC = 0x80000;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLERR = 8;
    static final int EPOLLHUP = 0x10;
    static final int EPOLLRDHUP = 0x2000;
    static final int EPOLLET = 1 << 31;

    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EFD_NONBLOCK_CLOEXEC = 0x800 | 0x80000;

    private static final Linker LINKER = Linker.nativeLinker();
    static final StructLayout ERRNO_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            ERRNO_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final Linker.Option WITH_ERRNO = Linker.Option.captureCallState("errno");
    private static final Linker.Option WITH_HEAP = Linker.Option.critical(true);

    private static final MethodHandle SOCKET =
            call("socket", ints(JAVA_INT, JAVA_INT, JAVA_INT), WITH_ERRNO);
    private static final MethodHandle CONNECT =
            call("connect", ints(JAVA_INT, ADDRESS, JAVA_INT), WITH_ERRNO);
    private static final MethodHandle BIND =
            call("bind", ints(JAVA_INT, ADDRESS, JAVA_INT), WITH_ERRNO);
    private static final MethodHandle SETSOCKOPT =
            call("setsockopt", ints(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT), WITH_ERRNO);
    private static final MethodHandle GETSOCKOPT =
            call("getsockopt", ints(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS), WITH_ERRNO);
    private static final MethodHandle CLOSE = call("close", ints(JAVA_INT), WITH_ERRNO);
    private static final MethodHandle EVENTFD =
            call("eventfd", ints(JAVA_INT, JAVA_INT), WITH_ERRNO);
    private static final MethodHandle EPOLL_CREATE =
            call("epoll_create1", ints(JAVA_INT), WITH_ERRNO);
    private static final MethodHandle EPOLL_CTL =
            call("epoll_ctl", ints(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS), WITH_ERRNO);
    private static final FunctionDescriptor PWAIT2 =
            ints(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle EPOLL_WAIT = call("epoll_pwait2", PWAIT2, WITH_ERRNO);
    private static final MethodHandle EPOLL_PEEK =
            call("epoll_pwait2", PWAIT2, WITH_ERRNO, Linker.Option.critical(false));
    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SEND = call("send", TRANSFER, WITH_ERRNO, WITH_HEAP);
    private static final MethodHandle RECV = call("recv", TRANSFER, WITH_ERRNO, WITH_HEAP);
    private static final FunctionDescriptor FILE_TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE = call("write", FILE_TRANSFER, WITH_ERRNO);
    private static final MethodHandle READ = call("read", FILE_TRANSFER, WITH_ERRNO);

    /// Memory for `errno`; each thread has its own instance.
    private final MemorySegment errno;

    private final MemorySegment timespec;
    private final MemorySegment scratch;

    /// @param arena arena that lives as long as the calling loop
    Kernel(Arena arena) {
        this.errno = arena.allocate(ERRNO_STATE);
        this.timespec = arena.allocate(16, 8);
        this.scratch = arena.allocate(16, 8);
    }

    static FunctionDescriptor ints(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_INT, arguments);
    }

    // restricted because a wrong signature crashes the JVM: the signatures below are those of the
    // man pages
    @SuppressWarnings("restricted")
    static MethodHandle call(String name, FunctionDescriptor signature, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup()
                        .find(name)
                        .orElseThrow(
                                () -> new UnsupportedOperationException("libc has no " + name)),
                signature,
                options);
    }

    private int result(int returned) {
        return returned < 0 ? -(int) ERRNO.get(errno, 0L) : returned;
    }

    int socket(int family) {
        try {
            return result((int) SOCKET.invokeExact(errno, family, SOCK_STREAM_NONBLOCK_CLOEXEC, 0));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int connect(int fd, MemorySegment address) {
        try {
            return result((int) CONNECT.invokeExact(errno, fd, address, (int) address.byteSize()));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int bind(int fd, MemorySegment address) {
        try {
            return result((int) BIND.invokeExact(errno, fd, address, (int) address.byteSize()));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int setOption(int fd, int level, int option, int value) {
        scratch.set(JAVA_INT, 0, value);
        try {
            return result((int) SETSOCKOPT.invokeExact(errno, fd, level, option, scratch, 4));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// The errno of a failed connect; 0 if it succeeded.
    int pendingError(int fd) {
        scratch.set(JAVA_INT, 0, 0);
        scratch.set(JAVA_INT, 8, 4);
        try {
            int r =
                    result(
                            (int)
                                    GETSOCKOPT.invokeExact(
                                            errno,
                                            fd,
                                            SOL_SOCKET,
                                            SO_ERROR,
                                            scratch,
                                            scratch.asSlice(8)));
            return r < 0 ? -r : scratch.get(JAVA_INT, 0);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int close(int fd) {
        try {
            return result((int) CLOSE.invokeExact(errno, fd));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int eventfd() {
        try {
            return result((int) EVENTFD.invokeExact(errno, 0, EFD_NONBLOCK_CLOEXEC));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// Rings an eventfd. It allocates its own errno segment, because any thread may call it.
    static void ring(int eventfd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
            long _ = (long) WRITE.invokeExact(arena.allocate(ERRNO_STATE), eventfd, one, 8L);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    void silence(int eventfd) {
        try {
            long _ = (long) READ.invokeExact(errno, eventfd, scratch, 8L);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int epollCreate() {
        try {
            return result((int) EPOLL_CREATE.invokeExact(errno, EPOLL_CLOEXEC));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int epollAdd(int epoll, int fd, MemorySegment event) {
        try {
            return result((int) EPOLL_CTL.invokeExact(errno, epoll, EPOLL_CTL_ADD, fd, event));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /// Waits with a resolution of nanoseconds (the old epoll_wait has milliseconds).
    int epollWait(int epoll, MemorySegment events, int max, long timeoutNanos) {
        timespec.set(JAVA_LONG, 0, timeoutNanos / 1_000_000_000L);
        timespec.set(JAVA_LONG, 8, timeoutNanos % 1_000_000_000L);
        try {
            int n =
                    timeoutNanos == 0
                            ? (int)
                                    EPOLL_PEEK.invokeExact(
                                            errno, epoll, events, max, timespec, MemorySegment.NULL)
                            : (int)
                                    EPOLL_WAIT.invokeExact(
                                            errno,
                                            epoll,
                                            events,
                                            max,
                                            timespec,
                                            MemorySegment.NULL);
            return result(n);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int send(int fd, MemorySegment bytes, long length) {
        try {
            return result((int) (long) SEND.invokeExact(errno, fd, bytes, length, MSG_NOSIGNAL));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    int receive(int fd, MemorySegment bytes, long length) {
        try {
            return result((int) (long) RECV.invokeExact(errno, fd, bytes, length, 0));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
