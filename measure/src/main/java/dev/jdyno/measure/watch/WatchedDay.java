package dev.jdyno.measure.watch;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/// One day (UTC) of a watched service.
///
/// @param minutes in the order of their time
/// @param events in the order of their time
/// @param whole summary of all minutes; empty if there is none
/// @param cells summaries of {@link #CELL_MINUTES} minutes each, in order; a time without a minute
///   has none
/// @param periods summaries of consecutive cells with the same verdict, in order
/// @param damaged number of lines of the day file that cannot be read
/// @param leftOut number of lines above those that are kept of one file
public record WatchedDay(
        String service,
        LocalDate day,
        List<WatchedMinute> minutes,
        List<WatchEvent> events,
        Optional<WatchedRange> whole,
        List<WatchedRange> cells,
        List<WatchedRange> periods,
        long damaged,
        long leftOut) {
    /// Length of a cell in minutes.
    public static final int CELL_MINUTES = 5;

    public WatchedDay {
        minutes = List.copyOf(minutes);
        events = List.copyOf(events);
        cells = List.copyOf(cells);
        periods = List.copyOf(periods);
    }
}
