package dev.jdyno.gclog;

import dev.jdyno.gclog.read.LogState;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the files of logs. HotSpot's rotation writes `gc.log.0`, `gc.log.1`, … The current file is
/// `gc.log.2.current` in JDK 6–8 and `gc.log` itself in JDK 9 and later. Files of one directory
/// whose names differ only in these suffixes are one log, in the order of their first time stamps.
public final class LogFiles {
    private static final Pattern ROTATION = Pattern.compile("(\\.\\d+)?(\\.current)?(\\.gz)?$");

    /// Number of bytes that are searched for a file's first stamp.
    private static final int HEAD_BYTES = 1 << 16;

    /// One log.
    ///
    /// @param name name of the log without rotation numbers
    /// @param parts files of the log in the order in which they were written
    public record Log(String name, List<Path> parts) {
        public Log {
            parts = List.copyOf(parts);
        }
    }

    private LogFiles() {}

    /// The logs in the given files and directories. A file's rotated siblings in its directory are
    /// part of its log.
    ///
    /// @throws UserError of kind usage if a path does not exist or a directory contains no file
    public static List<Log> find(List<Path> given) {
        Map<String, List<Path>> logs = new LinkedHashMap<>();
        for (Path path : given) {
            if (!Files.exists(path)) {
                throw UserError.usage(
                        "cannot read " + path, "there is no such file", "check the path");
            }
            List<Path> files = Files.isDirectory(path) ? below(path) : siblings(path);
            if (files.isEmpty()) {
                throw UserError.usage(
                        "no log in " + path,
                        "the directory holds no file",
                        "give a directory with GC logs");
            }
            for (Path file : files) {
                List<Path> parts = logs.computeIfAbsent(stem(file), _ -> new ArrayList<>());
                if (!parts.contains(file)) {
                    parts.add(file);
                }
            }
        }
        List<Log> found = new ArrayList<>();
        logs.forEach((name, parts) -> found.add(new Log(name, inOrder(parts))));
        return found;
    }

    private static String stem(Path file) {
        Path directory = Objects.requireNonNullElse(file.getParent(), Path.of(""));
        String name = Objects.requireNonNull(file.getFileName()).toString();
        return directory.resolve(ROTATION.matcher(name).replaceFirst("")).toString();
    }

    private static List<Path> below(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw unreadable(directory, e);
        } catch (UncheckedIOException inside) {
            throw UserError.usage(
                            "cannot read " + directory,
                            "a folder in it may not be read: " + inside.getMessage(),
                            "give the folders that you may read, or their files")
                    .causedBy(inside);
        }
    }

    /// Returns the file and the rotated files next to it. If the name of the file has a rotation
    /// number, returns only the file.
    private static List<Path> siblings(Path file) {
        String stem = stem(file);
        Path directory = Objects.requireNonNullElse(file.getParent(), Path.of("."));
        if (!stem.equals(file.toString()) || !Files.isDirectory(directory)) {
            return List.of(file);
        }
        String name = Objects.requireNonNull(file.getFileName()).toString();
        Pattern rotated = Pattern.compile(Pattern.quote(name) + "\\.\\d+(\\.current)?(\\.gz)?");
        List<Path> all = new ArrayList<>(List.of(file));
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(f -> rotated.matcher(f.getFileName().toString()).matches())
                    .map(f -> file.resolveSibling(f.getFileName()))
                    .sorted()
                    .forEach(all::add);
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
        return all;
    }

    /// The file that a JVM writes now: the given one, or its successor by rotation, such as
    /// `gc.log.1.current` after `gc.log.0.current`. Empty if none exists at this moment.
    static Optional<Path> current(Path given) throws IOException {
        if (Files.exists(given)) {
            return Optional.of(given);
        }
        Path directory = Objects.requireNonNullElse(given.getParent(), Path.of("."));
        String stem = stem(given);
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> given.resolveSibling(f.getFileName()))
                    .filter(f -> f.toString().endsWith(".current") && stem(f).equals(stem))
                    .max(Comparator.comparingLong(LogFiles::modifiedMs));
        }
    }

    private static long modifiedMs(Path file) {
        return file.toFile().lastModified();
    }

    private static List<Path> inOrder(List<Path> parts) {
        if (parts.size() == 1) {
            return parts;
        }
        Map<Path, Double> first = new LinkedHashMap<>();
        for (Path part : parts) {
            first.put(part, firstStamp(part).orElse(Double.MAX_VALUE));
        }
        return parts.stream().sorted(Comparator.comparingDouble(first::get)).toList();
    }

    /// The first stamp: seconds since 1970 if it has a date, otherwise the uptime.
    private static OptionalDouble firstStamp(Path file) {
        byte[] head;
        try (var in = GcLog.plain(Files.newInputStream(file))) {
            head = in.readNBytes(HEAD_BYTES);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        LogState log = new LogState(_ -> {});
        LogReader reader = new LogReader(log);
        for (String line : new String(head, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
            reader.line(bytes, 0, bytes.length);
            if (log.clock.firstEpochMs().isPresent()) {
                return OptionalDouble.of(log.clock.firstEpochMs().getAsLong() / 1000.0);
            }
        }
        return log.clock.isTimed() ? OptionalDouble.of(log.clock.first()) : OptionalDouble.empty();
    }

    static UserError unreadable(Path path, IOException e) {
        return UserError.usage(
                        "cannot read " + path,
                        String.valueOf(e.getMessage()),
                        "check its permissions")
                .causedBy(e);
    }
}
