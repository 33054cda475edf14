package dev.jdyno.watch;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The day files of one service: one line for each minute and for each event, one file a day (UTC),
/// `SERVICE-DATE.jsonl`. Failures to write are reported once, and writing is tried again each
/// minute: the watch goes on.
///
/// Old files are deleted by their number, not by their age. So a wall clock that is set years ahead
/// for a while deletes no file but the oldest. The open file is never deleted, not even if a clock
/// that was set back makes it the oldest.
final class DayFiles implements AutoCloseable {
    private static final String END = ".jsonl";

    /// `shop-2026-11-30.jsonl`
    private static final Pattern NAME =
            Pattern.compile("([a-z0-9][a-z0-9._-]*)-(\\d{4}-\\d{2}-\\d{2})\\.jsonl");

    private final Path folder;
    private final String service;
    private final int keep;
    private final Consumer<String> note;
    private Optional<Open> open = Optional.empty();
    private boolean failing;
    private long lost;
    private boolean undeleted;

    private record Open(LocalDate day, Path file, PrivateLines lines) {}

    /// A day file as its name describes it.
    record Named(String service, LocalDate day) {
        /// @return empty if no file can have this name
        static Optional<Named> of(String service, LocalDate day) {
            return of(new Named(service, day).file());
        }

        /// @return empty if it is the name of another file
        static Optional<Named> of(Path file) {
            return of(String.valueOf(file.getFileName()));
        }

        private static Optional<Named> of(String file) {
            Matcher name = NAME.matcher(file);
            try {
                return name.matches()
                        ? Optional.of(new Named(name.group(1), LocalDate.parse(name.group(2))))
                        : Optional.empty();
            } catch (DateTimeException noDate) {
                return Optional.empty();
            }
        }

        String file() {
            return service + "-" + day + END;
        }
    }

    private DayFiles(Path folder, String service, int keep, Consumer<String> note) {
        this.folder = folder;
        this.service = service;
        this.keep = keep;
        this.note = note;
    }

    /// Opens the file of a day, so that a folder that cannot be used is reported at once.
    ///
    /// @param service name of lower-case letters, digits, dots, dashes and underscores
    /// @param keep number of day files that are kept
    /// @param note receives failures while the watch goes on
    /// @throws UserError if the folder cannot be used, or another watch writes the file
    static DayFiles begin(
            Path folder, String service, int keep, Instant now, Consumer<String> note) {
        var files = new DayFiles(folder, service, keep, note);
        try {
            files.reopen(dayOf(now));
            return files;
        } catch (PrivateLines.Busy busy) {
            throw UserError.usage(
                            "another jdyno watches " + service + " into " + folder,
                            "it writes " + new Named(service, dayOf(now)).file() + " there",
                            "end it, or give another --out DIR")
                    .causedBy(busy);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write into " + folder,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    static LocalDate dayOf(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }

    /// Appends a minute. It is on the disk when this returns, unless the disk refused it.
    void add(WatchedMinute minute) {
        if (!write(minute.at(), DayLine.text(minute))) {
            lost++;
        }
    }

    /// Appends an event, like a minute.
    void add(WatchEvent event) {
        write(event.at(), EventLine.text(event));
    }

    /// @return false if the disk refused the line
    private boolean write(Instant at, String line) {
        try {
            LocalDate day = dayOf(at);
            // a file that was deleted meanwhile would take lines that no reader finds
            if (open.filter(o -> o.day().equals(day) && isThere(o.file())).isEmpty()) {
                reopen(day);
            }
            open.orElseThrow().lines().append(line);
            if (failing) {
                note.accept("day files are written again; minutes that are missing: " + lost);
            }
            failing = false;
            lost = 0;
            return true;
        } catch (IOException | UserError refused) {
            if (!failing) {
                note.accept(
                        "the day file of "
                                + service
                                + " cannot be written: "
                                + refused.getMessage()
                                + "; the watch goes on and tries again each minute");
            }
            failing = true;
            closeQuietly();
            return false;
        }
    }

    private static boolean isThere(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private void reopen(LocalDate day) throws IOException {
        closeQuietly();
        Path file = PrivateFolder.open(folder).resolve(new Named(service, day).file());
        // whatever a line holds, it stays; only a line that a kill cut short is dropped
        open = Optional.of(new Open(day, file, PrivateLines.open(file, (_, _) -> true).lines()));
        deleteOld(day);
    }

    /// Deletes the oldest day files of this service above the number that is kept.
    ///
    /// @param opened day of the open file, which is kept
    private void deleteOld(LocalDate opened) {
        SortedMap<LocalDate, Path> all = new TreeMap<>(Comparator.reverseOrder());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, service + "-*" + END)) {
            for (Path file : files) {
                Named.of(file)
                        .filter(n -> n.service().equals(service) && !n.day().equals(opened))
                        .filter(_ -> isThere(file))
                        .ifPresent(n -> all.put(n.day(), file));
            }
            for (Path old : all.values().stream().skip(keep - 1).toList()) {
                Files.deleteIfExists(old);
            }
            undeleted = false;
        } catch (IOException | DirectoryIteratorException refused) {
            if (!undeleted) {
                note.accept("old day files cannot be deleted: " + refused.getMessage());
            }
            undeleted = true;
        }
    }

    private void closeQuietly() {
        Optional<Open> closing = open;
        open = Optional.empty();
        try {
            if (closing.isPresent()) {
                closing.get().lines().close();
            }
        } catch (IOException lateFailure) {
            // every line is on the disk when it was appended, so nothing is lost here
        }
    }

    @Override
    public void close() {
        closeQuietly();
    }
}
