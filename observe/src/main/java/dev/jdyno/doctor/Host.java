package dev.jdyno.doctor;

import dev.jdyno.measure.NanoClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/// The machine and the process that look at it, as the checks may see them.
///
/// @param root where `proc` and `sys` are
/// @param temp the folder for temporary files
/// @param here the folder where runs are written
/// @param pid this process
/// @param user who runs it
/// @param jdk the version of the JDK that runs it
/// @param hasModule whether this JDK has a module
/// @param processors what this process may use, as the JVM counts them
/// @param pause how to wait while the CPU is watched
public record Host(
        Path root,
        Path temp,
        Path here,
        long pid,
        String user,
        Runtime.Version jdk,
        Predicate<String> hasModule,
        int processors,
        NanoClock clock,
        Pause pause) {

    /// Lets time pass.
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /// A file below the root such as `proc/stat`; empty when it cannot be read.
    Optional<String> text(String file) {
        try (InputStream in = Files.newInputStream(root.resolve(file))) {
            return Optional.of(new String(whole(in), StandardCharsets.UTF_8).strip());
        } catch (IOException _) {
            // absent on this kernel, or closed to this user: the check says so
            return Optional.empty();
        }
    }

    /// Reads in large pieces: a file of `/proc/sys` has no size and gives its text to the first
    /// read alone, and `Files.readString` makes that a read of one byte.
    private static byte[] whole(InputStream in) throws IOException {
        var all = new ByteArrayOutputStream();
        byte[] piece = new byte[64 * 1024];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            all.write(piece, 0, n);
        }
        return all.toByteArray();
    }

    /// A file that holds one whole number.
    OptionalLong number(String file) {
        return text(file)
                .filter(t -> t.matches("-?\\d{1,18}"))
                .map(t -> OptionalLong.of(Long.parseLong(t)))
                .orElse(OptionalLong.empty());
    }
}
