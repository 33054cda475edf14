package dev.jdyno.cli.options;

import dev.jdyno.measure.load.HttpWords;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.Secrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Values from a file, `@FILE`, as in curl. This keeps secrets out of the command line, which every
/// user of the machine can read. Messages name the file and the line, and never show the content.
public final class AtFile {
    /// Maximum size of a file with headers.
    private static final long MAX_HEADER_BYTES = 1 << 20;

    private AtFile() {}

    /// A header's name and value.
    public record Header(String name, String value) {}

    /// The headers of `-H`: `Name: value`, or `@FILE` with one header a line.
    public static List<Header> headers(List<String> given, Problems problems) {
        List<Header> headers = new ArrayList<>();
        for (String text : given) {
            if (text.startsWith("@")) {
                ofFile(text, headers, problems);
            } else if (!add(text, headers)) {
                problems.add(
                        "-H",
                        "'"
                                + Secrets.header(text)
                                + (text.indexOf(':') < 1
                                        ? "' has no colon"
                                        : "' has characters that no header can have"),
                        "write it as -H 'Name: value'");
            }
        }
        return headers;
    }

    private static void ofFile(String at, List<Header> headers, Problems problems) {
        Optional<String> text = text("-H", at, MAX_HEADER_BYTES, problems);
        int number = 0;
        for (String line : text.orElse("").lines().toList()) {
            number++;
            if (!line.isBlank() && !add(line, headers)) {
                problems.add(
                        "-H " + at + ":" + number,
                        "not a header",
                        "write one header a line, as Name: value");
            }
        }
    }

    private static boolean add(String line, List<Header> headers) {
        int colon = line.indexOf(':');
        if (colon < 1) {
            return false;
        }
        try {
            headers.add(
                    new Header(
                            HttpWords.headerName(line.substring(0, colon).trim()),
                            HttpWords.headerValue(line.substring(colon + 1).trim())));
            return true;
        } catch (IllegalArgumentException notSent) {
            return false;
        }
    }

    /// The text of `-b`: the value itself, or the content of `@FILE`.
    public static Optional<String> text(String option, String given, Problems problems) {
        return given.startsWith("@")
                ? text(option, given, Long.MAX_VALUE, problems)
                : Optional.of(given);
    }

    private static Optional<String> text(String option, String at, long max, Problems problems) {
        Optional<byte[]> bytes = bytes(option, at, max, problems);
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes.get()))
                            .toString());
        } catch (CharacterCodingException e) {
            problems.add(option + " " + at, "not UTF-8", "give a file with UTF-8 text");
            return Optional.empty();
        }
    }

    /// The content of `@FILE` as bytes.
    static Optional<byte[]> bytes(String option, String at, Problems problems) {
        return bytes(option, at, Long.MAX_VALUE, problems);
    }

    private static Optional<byte[]> bytes(String option, String at, long max, Problems problems) {
        Path file = Path.of(at.substring(1));
        try {
            if (Files.size(file) > max) {
                problems.add(
                        option + " " + at,
                        "longer than " + max + " bytes",
                        "give a file with a line for each header");
                return Optional.empty();
            }
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
            problems.add(
                    option + " " + at, "cannot read the file: " + e, "give a file that exists");
            return Optional.empty();
        }
    }
}
