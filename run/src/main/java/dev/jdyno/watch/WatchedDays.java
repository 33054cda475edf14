package dev.jdyno.watch;

import dev.jdyno.files.RegularFile;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.measure.watch.WatchedServices;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
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

/// The days in a folder of day files, for pages. Anyone who can write the folder can write these
/// files, so what is read of each is limited.
///
/// @param folder of the day files; it need not exist
public record WatchedDays(Path folder) {
    /// Maximum size of a day file that is shown. A day has about 1.5 MB.
    private static final int MAX_BYTES = 16 << 20;

    /// Maximum number of minutes, and of events, that are kept of one file: more than three days of
    /// minutes.
    static final int MAX_LINES = 5000;

    /// Maximum number of lines of a file that are parsed. Damaged ones take time, too.
    static final int MAX_READ = 20_000;

    /// Maximum number of files that are listed.
    private static final int MAX_FILES = 20_000;

    /// The services and days that have a file. The files are not opened.
    public WatchedServices list() {
        SortedMap<String, List<LocalDate>> days = new TreeMap<>();
        Optional<String> trouble = Optional.empty();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            int seen = 0;
            for (Path file : files) {
                if (++seen > MAX_FILES) {
                    trouble =
                            Optional.of(
                                    folder
                                            + " has more than "
                                            + MAX_FILES
                                            + " files; the others are not listed");
                    break;
                }
                DayFiles.Named.of(file)
                        .ifPresent(n ->
                                days.computeIfAbsent(n.service(), _ -> new ArrayList<>())
                                        .add(n.day()));
            }
        } catch (NoSuchFileException none) {
            // no watch has written there
        } catch (IOException | DirectoryIteratorException unread) {
            trouble = Optional.of(folder + " cannot be read: " + reason(unread));
        }
        return new WatchedServices(
                folder.toString(),
                days.entrySet().stream()
                        .map(e ->
                                new WatchedServices.Service(
                                        e.getKey(),
                                        e.getValue().stream()
                                                .sorted(Comparator.reverseOrder())
                                                .toList()))
                        .toList(),
                trouble);
    }

    static String reason(Exception unread) {
        return switch (unread) {
            case NoSuchFileException _ -> "there is no such folder";
            case AccessDeniedException _ -> "only the user of the watch may read it";
            case NotDirectoryException _ -> "it is not a folder";
            default -> String.valueOf(unread.getMessage());
        };
    }

    /// Reads a day, also while a watch writes it.
    ///
    /// @throws UserError if there is no such file, or it cannot be read
    public WatchedDay day(String service, LocalDate day) {
        Path file =
                DayFiles.Named.of(service, day)
                        .map(n -> folder.resolve(n.file()))
                        .orElseThrow(() ->
                                UserError.usage(
                                        "there is no such service",
                                        "a name has lower-case letters, digits, dots, dashes and"
                                                + " underscores",
                                        "open the list of watched services"));
        var kept = new Kept(day);
        try {
            DayReader.Others others =
                    DayReader.lines(RegularFile.bytes(file, MAX_BYTES), service, MAX_READ, kept);
            return DayCells.day(kept.read(service, others));
        } catch (NoSuchFileException none) {
            throw UserError.usage(
                            service + " has no day file of " + day,
                            folder + " has no file of that name",
                            "open the list of watched services")
                    .causedBy(none);
        } catch (IOException unread) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(unread.getMessage()),
                            "give --watched the folder that jdyno watch --out writes")
                    .causedBy(unread);
        }
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
        private DayCells.Read read(String service, DayReader.Others others) {
            minutes.sort(Comparator.comparing(WatchedMinute::at));
            events.sort(Comparator.comparing(WatchEvent::at));
            return new DayCells.Read(
                    service, day, minutes, events, others.damaged(), leftOut + others.unread());
        }
    }

    /// The summary of a part of a day, without headroom over it.
    ///
    /// @return empty if no minute begins in it
    public static Optional<WatchedRange> summary(WatchedDay day, Instant from, Instant to) {
        return Optional.of(RangeSummary.within(day.minutes(), from, to))
                .filter(minutes -> !minutes.isEmpty())
                .map(minutes -> RangeSummary.of(day.service(), from, to, minutes));
    }

    /// The same with its headroom, as `diagnose --at` prints it.
    ///
    /// @return empty if no minute begins in it
    public static Optional<WatchedRange> summaryWithHeadroom(
            WatchedDay day, Instant from, Instant to) {
        return Optional.of(RangeSummary.within(day.minutes(), from, to))
                .filter(minutes -> !minutes.isEmpty())
                .map(minutes -> RangeSummary.withHeadroom(day.service(), from, to, minutes));
    }
}
