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
import java.util.regex.Pattern;

/// The user's terminal.
public final class Terminal {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;

    /// Environment variable with the width in columns. Shells and other tools set it where no
    /// terminal reports a width.
    private static final String COLUMNS = "COLUMNS";

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    /// `ioctl` request for the window's size on Linux; `struct winsize` begins with rows and
    /// columns.
    private static final long TIOCGWINSZ = 0x5413;

    private static final int WINSIZE_BYTES = 8;
    private static final int COLUMNS_OFFSET = 2;

    private Terminal() {}

    /// The size of the window in characters.
    public record Size(int rows, int columns) {
        /// The part of the line that fits without wrapping.
        String cut(String line) {
            return line.length() <= columns ? line : line.substring(0, columns);
        }

        /// Number of rows that a line occupies now if it was written when the window was wider.
        int rowsOf(String line) {
            return Math.max(1, (line.length() + columns - 1) / columns);
        }
    }

    public static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /// The present window size of the terminal on standard error; empty if the system does not know
    /// it.
    public static Optional<Size> size() {
        return size(STDERR);
    }

    /// The columns of the reader of standard output: the environment variable COLUMNS, else the
    /// width of the window; empty if both are unknown.
    public static Optional<Integer> columns() {
        return Optional.ofNullable(System.getenv(COLUMNS))
                .filter(NUMBER.asMatchPredicate())
                .map(Integer::valueOf)
                .or(() -> size(STDOUT).map(Size::columns));
    }

    private static Optional<Size> size(int file) {
        if (!LINUX) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(WINSIZE_BYTES, 8);
            if (Ioctl.call(file, size) != 0) {
                return Optional.empty();
            }
            int rows = Short.toUnsignedInt(size.get(JAVA_SHORT, 0));
            int columns = Short.toUnsignedInt(size.get(JAVA_SHORT, COLUMNS_OFFSET));
            return rows > 0 && columns > 0
                    ? Optional.of(new Size(rows, columns))
                    : Optional.empty();
        }
    }

    /// Linked only if there is a terminal, because linking takes some milliseconds.
    private static final class Ioctl {
        private static final java.lang.invoke.MethodHandle HANDLE = handle();

        // Restricted because a wrong signature crashes the JVM. This signature is the one of the
        // man page.
        @SuppressWarnings("restricted")
        private static java.lang.invoke.MethodHandle handle() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));
        }

        static int call(int file, MemorySegment size) {
            try {
                return (int) HANDLE.invokeExact(file, TIOCGWINSZ, size);
            } catch (Throwable impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
