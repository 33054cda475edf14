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

/// The machine and the present process, as far as the checks may access them.
///
/// @param root parent folder of `proc` and `sys`
/// @param temp the folder for temporary files
/// @param here the folder where runs are written
/// @param pid this process
/// @param user the user of this process
/// @param jdk the version of the JDK of this process
/// @param hasModule whether this JDK has a module
/// @param processors number of processors that this process may use, as the JVM counts them
/// @param pause how to wait while the CPU is observed
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

    /// Waits for a time.
    @FunctionalInterface
    public interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /// A file below the root such as `proc/stat`; empty when it cannot be read.
    Optional<String> text(String file) {
        try (InputStream in = Files.newInputStream(root.resolve(file))) {
            return Optional.of(new String(whole(in), StandardCharsets.UTF_8).strip());
        } catch (IOException _) {
            // absent on this kernel, or not readable by this user: the check reports it
            return Optional.empty();
        }
    }

    /// Reads a file in large pieces. A file of `/proc/sys` has no size, and only its first read
    /// returns text. The first read of `Files.readString` is one byte long.
    private static byte[] whole(InputStream in) throws IOException {
        var all = new ByteArrayOutputStream();
        byte[] piece = new byte[64 * 1024];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            all.write(piece, 0, n);
        }
        return all.toByteArray();
    }

    /// The integer in a file; empty if the file contains anything else.
    OptionalLong number(String file) {
        return text(file)
                .filter(t -> t.matches("-?\\d{1,18}"))
                .map(t -> OptionalLong.of(Long.parseLong(t)))
                .orElse(OptionalLong.empty());
    }
}
