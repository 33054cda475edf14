package dev.jdyno.observe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// What stack frames mean: the knowledge of frameworks, read from `frames.txt`, which says its own
/// format.
final class Frames {
    enum Kind {
        SERVING,
        SERVER_IO,
        IDLE,
        LOOP,
        TASK,
        POOL,
        LIMITER,
        LOGGING,
        DATABASE,
        REMOTE,
        DNS,
        DISK,
        SLEEP,
        FUTURE,
        LOCK,
        CONDITION,
        QUEUE,
        SEMAPHORE,
        SOCKET_READ,
        SOCKET_WRITE,
        SOCKET_CONNECT,
        CLASS_LOADING,
        THREAD_START,
        PARK,
        WAIT,
        THROUGH;

        /// Whether a library above the JDK gives the wait its meaning.
        boolean isLibrary() {
            return switch (this) {
                case SERVER_IO, POOL, LIMITER, LOGGING, DATABASE, REMOTE -> true;
                case SERVING, IDLE, LOOP, TASK, DNS, DISK, SLEEP, FUTURE, LOCK, CONDITION, QUEUE ->
                        false;
                case SEMAPHORE, SOCKET_READ, SOCKET_WRITE, SOCKET_CONNECT -> false;
                case CLASS_LOADING, THREAD_START, PARK, WAIT, THROUGH -> false;
            };
        }
    }

    /// One line of the file.
    ///
    /// @param name the library's name; empty when the line gives none
    record Meaning(Kind kind, String pattern, String name) {
        boolean leafOnly() {
            return kind == Kind.LOOP || name.equals("leaf-only");
        }

        /// Whether the frames above belong to a socket though their code is the files'.
        boolean isNotTheDisk() {
            return name.equals("not-the-disk");
        }

        private boolean matches(String frame) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                return frame.startsWith(pattern);
            }
            return frame.startsWith(pattern.substring(0, star))
                    && frame.indexOf(pattern.substring(star + 1), star) >= 0;
        }
    }

    private final List<Meaning> meanings;
    private final Map<String, Optional<Meaning>> known = new ConcurrentHashMap<>();

    private Frames(List<Meaning> meanings) {
        this.meanings = List.copyOf(meanings);
    }

    /// The knowledge that ships with jdyno.
    static Frames builtIn() {
        try (InputStream in = Frames.class.getResourceAsStream("frames.txt")) {
            if (in == null) {
                throw new IllegalStateException("frames.txt is not in the jar");
            }
            var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return parse(reader.lines().toList());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @throws IllegalArgumentException that names the line which is not of the format
    static Frames parse(List<String> lines) {
        List<Meaning> meanings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\\s+", 3);
            if (parts.length < 2) {
                throw new IllegalArgumentException("line " + (i + 1) + ": no pattern: " + line);
            }
            meanings.add(
                    new Meaning(
                            kind(parts[0], i + 1),
                            parts[1],
                            parts.length > 2 ? parts[2].strip() : ""));
        }
        return new Frames(meanings);
    }

    private static Kind kind(String word, int line) {
        try {
            return Kind.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("line " + line + ": no such kind: " + word, unknown);
        }
    }

    /// The meaning of the first line that matches; empty for an application's frame.
    Optional<Meaning> of(String frame) {
        return known.computeIfAbsent(
                frame, f -> meanings.stream().filter(m -> m.matches(f)).findFirst());
    }

    List<Meaning> all() {
        return meanings;
    }
}
