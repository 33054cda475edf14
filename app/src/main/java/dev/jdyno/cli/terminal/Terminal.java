package dev.jdyno.cli.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.Console;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The terminal a user sits at.
public final class Terminal {
    private static final int STDERR = 2;

    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    /// `ioctl` for the window's size: a number of Linux, `struct winsize` has rows and columns
    /// first.
    private static final long TIOCGWINSZ = 0x5413;

    private static final int WINSIZE_BYTES = 8;
    private static final int COLUMNS_OFFSET = 2;

    private Terminal() {}

    /// How many characters the window shows.
    public record Size(int rows, int columns) {
        /// The line as far as it fits without wrapping.
        String cut(String line) {
            return line.length() <= columns ? line : line.substring(0, columns);
        }

        /// The rows a line takes that was written when the window was wider.
        int rowsOf(String line) {
            return Math.max(1, (line.length() + columns - 1) / columns);
        }
    }

    public static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /// The size of the window that standard error goes to now; empty where the system does not say.
    public static Optional<Size> size() {
        if (!LINUX) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(WINSIZE_BYTES, 8);
            if (Ioctl.call(size) != 0) {
                return Optional.empty();
            }
            int rows = Short.toUnsignedInt(size.get(JAVA_SHORT, 0));
            int columns = Short.toUnsignedInt(size.get(JAVA_SHORT, COLUMNS_OFFSET));
            return rows > 0 && columns > 0
                    ? Optional.of(new Size(rows, columns))
                    : Optional.empty();
        }
    }

    /// Linked when a terminal is there only: linking takes some milliseconds.
    private static final class Ioctl {
        private static final java.lang.invoke.MethodHandle HANDLE = handle();

        // restricted because a wrong signature crashes the JVM: this is the one of the man page
        @SuppressWarnings("restricted")
        private static java.lang.invoke.MethodHandle handle() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));
        }

        static int call(MemorySegment size) {
            try {
                return (int) HANDLE.invokeExact(STDERR, TIOCGWINSZ, size);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
