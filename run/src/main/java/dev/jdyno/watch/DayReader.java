package dev.jdyno.watch;

import dev.jdyno.files.RegularFile;
import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.measure.text.UserError;
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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Reads the minutes of a range from day files, also while a watch writes them. A damaged line is
/// skipped and counted, such as the last line after a kill.
public final class DayReader {
    /// Maximum size of a day file. A day has about 1.5 MB.
    private static final int MAX_BYTES = 64 << 20;

    private static final int MAX_LINE_BYTES = 64 << 10;

    private DayReader() {}

    /// @param minutes minutes that begin in the range, by service, in the order of the files
    /// @param files number of day files that were read
    /// @param damaged number of lines in these files that cannot be read
    public record Found(SortedMap<String, List<WatchedMinute>> minutes, int files, long damaged) {}

    /// @param from begin of the range
    /// @param to end of the range, not included
    /// @throws UserError if the folder or a file cannot be read
    public static Found read(Path folder, Instant from, Instant to) {
        // the file of a minute is that of its begin, in UTC
        LocalDate first = DayFiles.dayOf(from);
        LocalDate last = DayFiles.dayOf(to);
        SortedMap<String, List<WatchedMinute>> minutes = new TreeMap<>();
        int files = 0;
        long damaged = 0;
        Path at = folder;
        try {
            for (Path file : dayFiles(folder)) {
                LocalDate day = DayFiles.Named.of(file).orElseThrow().day();
                if (day.isBefore(first) || day.isAfter(last)) {
                    continue;
                }
                at = file;
                files++;
                damaged += read(file, from, to, minutes);
            }
        } catch (IOException | DirectoryIteratorException unread) {
            throw UserError.usage(
                            "cannot read " + at,
                            WatchedDays.reason(unread),
                            "give --from the folder that jdyno watch --out writes, and run this as"
                                    + " the user of the watch")
                    .causedBy(unread);
        }
        return new Found(minutes, files, damaged);
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

    /// @return number of damaged lines
    private static long read(
            Path file, Instant from, Instant to, SortedMap<String, List<WatchedMinute>> minutes)
            throws IOException {
        String service = DayFiles.Named.of(file).orElseThrow().service();
        return lines(
                        RegularFile.bytes(file, MAX_BYTES),
                        service,
                        Long.MAX_VALUE,
                        line -> {
                            if (line instanceof DayEntry.Minute(WatchedMinute m)
                                    && !m.at().isBefore(from)
                                    && m.at().isBefore(to)) {
                                minutes.computeIfAbsent(service, _ -> new ArrayList<>()).add(m);
                            }
                            return true;
                        })
                .damaged();
    }

    /// @param damaged number of lines that cannot be read, or do not belong into the file
    /// @param unread number of lines after the maximum
    record Others(long damaged, long unread) {}

    /// Passes each line of a file on that can be read.
    ///
    /// @param maxLines number of lines after which lines are only counted
    /// @param wanted returns false for a line that does not belong into the file
    /// @return the lines that were not passed on, or were not wanted
    static Others lines(byte[] content, String service, long maxLines, Predicate<DayEntry> wanted)
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
                if (++seen <= maxLines
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
        return new Others(damaged, Math.max(0, seen - maxLines));
    }
}
