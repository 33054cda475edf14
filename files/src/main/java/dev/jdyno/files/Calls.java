package dev.jdyno.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/// Linux calls on files relative to a directory handle, which Java provides only in part. They use
/// the foreign-function interface (JEP 454). Flags and layouts are those of x86-64 and of arm64,
/// whose `O_` flags differ.
///
/// Every failure becomes an {@link IOException} of Java's own kind for it, with the requested name.
final class Calls {
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    static final int O_CLOEXEC = 0x80000;

    /// A handle that only identifies the file: opening it has no effect on a FIFO or a device.
    static final int O_PATH = 0x200000;

    private static final int AT_FDCWD = -100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_BYTES = 256;

    private static final long SYS_OPENAT2 = 437;
    private static final long RESOLVE_NO_MAGICLINKS = 0x02;
    private static final long RESOLVE_IN_ROOT = 0x10;

    private static final int LOCK_EX_NB = 2 | 4;

    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EINTR = 4;
    private static final int EACCES = 13;
    private static final int EAGAIN = 11;
    private static final int EEXIST = 17;
    private static final int ENOTDIR = 20;
    private static final int ENOSYS = 38;
    private static final int ENOTEMPTY = 39;
    private static final int ELOOP = 40;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPENAT =
            call("openat", 3, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle MKDIRAT =
            call("mkdirat", 0, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle UNLINKAT =
            call("unlinkat", 0, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle STATX =
            call("statx", 0, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle FCHOWN =
            call("fchown", 0, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle FLOCK = call("flock", 0, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle GETEUID = callThatCannotFail("geteuid");
    private static final MethodHandle CLOSE = call("close", 0, JAVA_INT, JAVA_INT);
    private static final MethodHandle SYSCALL =
            call("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);

    private Calls() {}

    /// @param fixed number of arguments before the variable ones; 0 if there are none
    private static MethodHandle call(
            String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        FunctionDescriptor signature = FunctionDescriptor.of(result, arguments);
        return fixed == 0
                ? handle(name, signature, errno)
                : handle(name, signature, errno, Linker.Option.firstVariadicArg(fixed));
    }

    private static MethodHandle callThatCannotFail(String name) {
        return handle(name, FunctionDescriptor.of(JAVA_INT));
    }

    // restricted because a wrong signature crashes the JVM: the signatures above are those of the
    // man pages
    @SuppressWarnings("restricted")
    private static MethodHandle handle(
            String name, FunctionDescriptor signature, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup()
                        .find(name)
                        .orElseThrow(
                                () -> new UnsupportedOperationException("libc has no " + name)),
                signature,
                options);
    }

    /// One call with its own memory.
    private interface Call {
        long on(MemorySegment errno, Arena arena) throws Throwable;
    }

    private record Answer(long value, int errno) {}

    private static Answer ask(Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long value = call.on(state, arena);
            return new Answer(value, value < 0 ? (int) ERRNO.get(state, 0L) : 0);
        } catch (IOException noName) {
            throw noName;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static int done(Answer answer, String name) throws IOException {
        if (answer.errno() != 0) {
            throw failure(answer.errno(), name);
        }
        return Math.toIntExact(answer.value());
    }

    private static IOException failure(int errno, String name) {
        return switch (errno) {
            case ENOENT -> new NoSuchFileException(name);
            case EEXIST -> new FileAlreadyExistsException(name);
            case EACCES, EPERM -> new AccessDeniedException(name);
            case ENOTDIR -> new NotDirectoryException(name);
            case ENOTEMPTY -> new DirectoryNotEmptyException(name);
            case ELOOP -> new FileSystemLoopException(name);
            default -> new IOException(name + ": error " + errno + " of the operating system");
        };
    }

    private static MemorySegment text(Arena arena, String name) throws IOException {
        if (name.indexOf('\0') >= 0) {
            throw new NoSuchFileException(name.replace('\0', '?'));
        }
        return arena.allocateFrom(name, StandardCharsets.UTF_8);
    }

    /// Opens a path by the kernel's normal resolution: only for paths that no other user can
    /// choose.
    static int open(String path, int flags) throws IOException {
        return openAt(AT_FDCWD, path, flags, 0);
    }

    static int openAt(int folder, String name, int flags, int mode) throws IOException {
        return done(
                ask((errno, arena) ->
                        (int)
                                OPENAT.invokeExact(
                                        errno, folder, text(arena, name), flags | O_CLOEXEC, mode)),
                name);
    }

    /// Opens a path as a process with the root `folder` sees it. No link and no `..` leads out of
    /// that root (`openat2` with `RESOLVE_IN_ROOT`, Linux 5.6).
    ///
    /// @return empty if this kernel, or a filter of system calls, does not support the call
    static Optional<Integer> openInRoot(int folder, String path, int flags) throws IOException {
        Answer answer;
        int tries = 0;
        do {
            answer =
                    ask((errno, arena) -> {
                        MemorySegment how = arena.allocate(24, 8);
                        how.set(JAVA_LONG, 0, flags | O_CLOEXEC);
                        how.set(JAVA_LONG, 16, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
                        return (long)
                                SYSCALL.invokeExact(
                                        errno,
                                        SYS_OPENAT2,
                                        (long) folder,
                                        text(arena, path),
                                        how,
                                        24L);
                    });
            // a rename elsewhere in the file system can prevent the kernel's check of ".."
        } while (answer.errno() == EAGAIN && ++tries < 100);
        boolean unknown = answer.errno() == ENOSYS || answer.errno() == EPERM;
        return unknown ? Optional.empty() : Optional.of(done(answer, path));
    }

    static void makeFolder(int folder, String name, int mode) throws IOException {
        done(
                ask((errno, arena) ->
                        (int) MKDIRAT.invokeExact(errno, folder, text(arena, name), mode)),
                name);
    }

    static void unlink(int folder, String name, boolean isFolder) throws IOException {
        int flags = isFolder ? AT_REMOVEDIR : 0;
        done(
                ask((errno, arena) ->
                        (int) UNLINKAT.invokeExact(errno, folder, text(arena, name), flags)),
                name);
    }

    static void giveTo(int fd, long uid, long gid, String name) throws IOException {
        done(ask((errno, _) -> (int) FCHOWN.invokeExact(errno, fd, (int) uid, (int) gid)), name);
    }

    /// Takes an exclusive `flock` if no process holds the lock.
    ///
    /// @return true if the lock was taken
    static boolean lock(int fd, String name) throws IOException {
        Answer answer;
        do {
            answer = ask((errno, _) -> (int) FLOCK.invokeExact(errno, fd, LOCK_EX_NB));
        } while (answer.errno() == EINTR);
        boolean taken = answer.errno() == EAGAIN;
        if (!taken) {
            done(answer, name);
        }
        return !taken;
    }

    static long effectiveUid() {
        try {
            return Integer.toUnsignedLong((int) GETEUID.invokeExact());
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    static void close(int fd) throws IOException {
        done(ask((errno, _) -> (int) CLOSE.invokeExact(errno, fd)), "descriptor " + fd);
    }

    /// Facts of the file that a handle refers to.
    static Stat stat(int fd, String name) throws IOException {
        return stat(fd, "", AT_EMPTY_PATH, name);
    }

    /// Facts of a name in a folder. For a link, these are facts of the link, not of its target.
    static Stat statAt(int folder, String name) throws IOException {
        return stat(folder, name, AT_SYMLINK_NOFOLLOW, name);
    }

    private static Stat stat(int fd, String path, int flags, String name) throws IOException {
        Stat[] found = new Stat[1];
        done(
                ask((errno, arena) -> {
                    MemorySegment its = arena.allocate(STATX_BYTES, 8);
                    int answer =
                            (int)
                                    STATX.invokeExact(
                                            errno,
                                            fd,
                                            text(arena, path),
                                            flags,
                                            STATX_BASIC_STATS,
                                            its);
                    if (answer == 0) {
                        found[0] = of(its);
                    }
                    return answer;
                }),
                name);
        return found[0];
    }

    /// `struct statx` is the same on every processor: 16 links, 20 uid, 24 gid, 28 mode (16 bits),
    /// 32 inode, 40 size, 136 and 140 the device's two numbers.
    private static Stat of(MemorySegment its) {
        int mode = Short.toUnsignedInt(its.get(JAVA_SHORT, 28));
        return new Stat(
                Stat.Kind.of(mode),
                mode & 07777,
                Integer.toUnsignedLong(its.get(JAVA_INT, 20)),
                Integer.toUnsignedLong(its.get(JAVA_INT, 24)),
                its.get(JAVA_LONG, 40),
                Integer.toUnsignedLong(its.get(JAVA_INT, 16)),
                new Stat.Identity(
                        its.get(JAVA_INT, 136), its.get(JAVA_INT, 140), its.get(JAVA_LONG, 32)));
    }
}
