package dev.jdyno.watch;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.watch.EventDocument;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a line of a day file holds.
sealed interface DayEntry {
    String service();

    record Minute(WatchedMinute minute) implements DayEntry {
        @Override
        public String service() {
            return minute.service();
        }
    }

    record Event(WatchEvent event) implements DayEntry {
        @Override
        public String service() {
            return event.service();
        }
    }

    /// @return empty if the line is damaged, or if another version wrote it
    static Optional<DayEntry> read(String line) {
        try {
            JsonNode read = ForeignJson.tree(line);
            return read.path("schema").asString("").equals(EventDocument.SCHEMA)
                    ? EventLine.read(read).map(Event::new)
                    : DayLine.read(read).map(Minute::new);
        } catch (Malformed damaged) {
            return Optional.empty();
        }
    }
}
