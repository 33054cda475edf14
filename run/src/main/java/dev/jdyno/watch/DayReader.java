package dev.jdyno.watch;

import dev.jdyno.files.RegularFile;
import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Reads day files, also while a watch writes them. A damaged line is skipped and counted, such as
/// the last line after a kill. Anyone who can write the folder can write these files, so what is
/// read of each is limited.
public final class DayReader {
    /// Maximum size of a day file. A day has about 1.5 MB.
    private static final int MAX_BYTES = 16 << 20;

    private static final int MAX_LINE_BYTES = 64 << 10;

    /// Maximum number of minutes, and of events, that are kept of one file: more than three days of
    /// minutes.
    static final int MAX_LINES = 5000;

    /// Maximum number of lines of a file that are parsed. Damaged ones take time, too.
    static final int MAX_READ = 20_000;

    private DayReader() {}

    /// @param minutes minutes that begin in the range, by service, in the order of the days
    /// @param files number of day files that were read
    /// @param skipped lines of these files, whether they are of the range or not
    public record Found(
            SortedMap<String, List<WatchedMinute>> minutes, int files, SkippedLines skipped) {}

    /// @param from begin of the range
    /// @param to end of the range, not included
    /// @throws UserError if the folder or a file cannot be read
    public static Found read(Path folder, Instant from, Instant to) {
        // the file of a minute is that of its begin, in UTC
        LocalDate first = DayFiles.dayOf(from);
        LocalDate last = DayFiles.dayOf(to);
        SortedMap<String, List<WatchedMinute>> minutes = new TreeMap<>();
        int files = 0;
        var skipped = SkippedLines.NONE;
        Path at = folder;
        try {
            for (Path file : dayFiles(folder)) {
                DayFiles.Named named = DayFiles.Named.of(file).orElseThrow();
                if (named.day().isBefore(first) || named.day().isAfter(last)) {
                    continue;
                }
                at = file;
                files++;
                DayCells.Read read = day(file, named.service(), named.day());
                skipped = skipped.plus(read.skipped());
                List<WatchedMinute> within = RangeSummary.within(read.minutes(), from, to);
                if (!within.isEmpty()) {
                    minutes.computeIfAbsent(named.service(), _ -> new ArrayList<>()).addAll(within);
                }
            }
        } catch (IOException | DirectoryIteratorException unread) {
            throw UserError.usage(
                            "cannot read " + at,
                            WatchedDays.reason(unread),
                            "give --from the folder that jdyno watch --out writes, and run this as"
                                    + " the user of the watch")
                    .causedBy(unread);
        }
        return new Found(minutes, files, skipped);
    }

    private static List<Path> dayFiles(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, f -> DayFiles.Named.of(f).isPresent())) {
            files.forEach(found::add);
        }
        found.sort(null);
        return found;
    }

    /// Reads the file of one day.
    ///
    /// @throws java.nio.file.NoSuchFileException if there is none
    static DayCells.Read day(Path file, String service, LocalDate day) throws IOException {
        var kept = new Kept(day);
        return kept.read(service, lines(RegularFile.bytes(file, MAX_BYTES), service, kept));
    }

    /// Passes each line of a file on that can be read, up to the maximum of lines.
    ///
    /// @param wanted returns false for a line that does not belong into the file
    /// @return the lines that were not passed on, or were not wanted
    private static SkippedLines lines(byte[] content, String service, Predicate<DayEntry> wanted)
            throws IOException {
        long seen = 0;
        long damaged = 0;
        try (var lines =
                new ForeignLines(
                        new ByteArrayInputStream(content),
                        StandardCharsets.UTF_8,
                        MAX_LINE_BYTES)) {
            Optional<ForeignLines.Line> line = lines.next();
            while (line.isPresent()) {
                if (++seen <= MAX_READ
                        && line.filter(ForeignLines.Line::whole)
                                .flatMap(l -> DayEntry.read(l.text()))
                                .filter(e -> e.service().equals(service))
                                .filter(wanted)
                                .isEmpty()) {
                    damaged++;
                }
                line = lines.next();
            }
        }
        return new SkippedLines(damaged, Math.max(0, seen - MAX_READ));
    }

    /// Keeps the lines of one day, up to the maximum of each kind.
    private static final class Kept implements Predicate<DayEntry> {
        private final LocalDate day;
        private final List<WatchedMinute> minutes = new ArrayList<>();
        private final List<WatchEvent> events = new ArrayList<>();
        private long leftOut;

        private Kept(LocalDate day) {
            this.day = day;
        }

        /// @return false if the line is of another day
        @Override
        public boolean test(DayEntry line) {
            return switch (line) {
                case DayEntry.Minute(WatchedMinute m) -> keep(m, m.at(), minutes);
                case DayEntry.Event(WatchEvent e) -> keep(e, e.at(), events);
            };
        }

        private <T> boolean keep(T value, Instant at, List<T> values) {
            if (!DayFiles.dayOf(at).equals(day)) {
                return false;
            }
            if (values.size() < MAX_LINES) {
                values.add(value);
            } else {
                leftOut++;
            }
            return true;
        }

        /// The lines in the order of their time: the wall clock may have been set back.
        ///
        /// @param others lines that were not passed to this
        private DayCells.Read read(String service, SkippedLines others) {
            minutes.sort(Comparator.comparing(WatchedMinute::at));
            events.sort(Comparator.comparing(WatchEvent::at));
            return new DayCells.Read(
                    service, day, minutes, events, others.plus(new SkippedLines(0, leftOut)));
        }
    }
}
