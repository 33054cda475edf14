package dev.jdyno.driver;

import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The output of a driver: its printed text, and the file that it was asked to write.
///
/// @param printed standard output and error of the driver
/// @param file that replaced `{out}`; may not exist
/// @param window the time that counts, for forms that list each request
record DriverOutput(Path printed, Path file, Window window) {
    /// Maximum size of a summary or of the printed output.
    private static final int MAX_BYTES = 16 << 20;

    /// Maximum size of a file with a line for each request.
    static final long MAX_FILE_BYTES = 1L << 30;

    /// Maximum length of a line. A usual line has some 200 bytes, one with a long URL some
    /// thousand.
    private static final int MAX_LINE_BYTES = 64 << 10;

    /// A period of time, in ms since 1970.
    record Window(long fromMs, long toMs) {
        boolean has(double ms) {
            return ms >= fromMs && ms < toMs;
        }

        double seconds() {
            return (toMs - fromMs) / 1e3;
        }
    }

    /// All that it printed; bytes that are not valid UTF-8 are replaced.
    String text() throws IOException {
        return decoded(ForeignText.bytes(printed, MAX_BYTES));
    }

    /// The whole file that it wrote; empty if there is none.
    Optional<String> fileText() throws IOException {
        return hasFile()
                ? Optional.of(decoded(ForeignText.bytes(file, MAX_BYTES)))
                : Optional.empty();
    }

    private static String decoded(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    boolean hasFile() {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// The first line of the file; empty if there is none.
    Optional<String> firstLine() throws IOException {
        if (!hasFile()) {
            return Optional.empty();
        }
        try (var lines = lines(Files.newInputStream(file))) {
            return lines.next().map(ForeignLines.Line::text);
        }
    }

    /// True if any line of the file satisfies the predicate.
    boolean anyLine(Predicate<String> wanted) throws IOException {
        boolean[] found = {false};
        forEachLine(line -> found[0] |= wanted.test(line));
        return found[0];
    }

    /// The file that it wrote, or without one its printed output; bytes that are not valid UTF-8
    /// are replaced.
    ///
    /// @throws Malformed if it is longer than the limits allow
    Reader results() throws IOException {
        Path from = hasFile() ? file : printed;
        requireReadable(from);
        return new InputStreamReader(Files.newInputStream(from), StandardCharsets.UTF_8);
    }

    private static void requireReadable(Path large) throws IOException {
        if (Files.size(large) > MAX_FILE_BYTES) {
            throw Malformed.of("larger than " + (MAX_FILE_BYTES >> 20) + " MiB");
        }
    }

    /// Passes on each line of the file.
    ///
    /// @throws Malformed if the file or a line is longer than the limits allow
    void forEachLine(Consumer<String> to) throws IOException {
        requireReadable(file);
        try (var lines = lines(Files.newInputStream(file))) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                if (!line.get().whole()) {
                    throw Malformed.at(
                            (int) Math.min(Integer.MAX_VALUE, line.get().number()),
                            "a line of more than " + MAX_LINE_BYTES + " bytes");
                }
                to.accept(line.get().text());
            }
        }
    }

    private static ForeignLines lines(InputStream in) {
        return new ForeignLines(in, StandardCharsets.UTF_8, MAX_LINE_BYTES);
    }
}
