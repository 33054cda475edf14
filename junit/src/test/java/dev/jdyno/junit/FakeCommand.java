package dev.jdyno.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A program that replaces `jdyno`. It prints a stored result, ends with a code, and records its
/// arguments.
final class FakeCommand implements AutoCloseable {
    private final Optional<String> before =
            Optional.ofNullable(System.getProperty(Command.PROPERTY));
    private final Path calls;

    /// @param result name of a file under `results`; any other text is printed as it is
    FakeCommand(Path folder, String result, int exitCode) throws IOException {
        calls = folder.resolve("calls");
        Path output = Files.writeString(folder.resolve("output"), text(result));
        Path script =
                Files.writeString(
                        folder.resolve("jdyno"),
                        "#!/bin/sh\necho \"$JDYNO_TEST_PID $PORT $*\" >> '"
                                + calls
                                + "'\ncat '"
                                + output
                                + "'\necho 'error: said on standard error' >&2\nexit "
                                + exitCode
                                + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        System.setProperty(Command.PROPERTY, script.toString());
    }

    static String text(String result) {
        if (!result.endsWith(".json")) {
            return result;
        }
        try (InputStream file =
                Objects.requireNonNull(
                        FakeCommand.class.getResourceAsStream("/results/" + result))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> calls() throws IOException {
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    @Override
    public void close() {
        before.ifPresentOrElse(
                command -> System.setProperty(Command.PROPERTY, command),
                () -> System.clearProperty(Command.PROPERTY));
    }
}
