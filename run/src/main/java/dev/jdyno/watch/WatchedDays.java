package dev.jdyno.watch;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchedDay;
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

/// The days in a folder of day files, for pages.
///
/// @param folder of the day files; it need not exist
public record WatchedDays(Path folder) {
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
        try {
            return DayCells.day(DayReader.day(file, service, day));
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
