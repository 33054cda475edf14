package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.function.Consumer;

/// Writes the events of a log as JSON Lines while the log is read: every value that the log shows
/// of an event, with its phases and age table. A value that the log does not show has no key.
public final class EventJsonLines implements Consumer<GcEvent> {
    private final Writer out;

    /// @param out receives the lines; this class neither flushes nor closes it
    public EventJsonLines(Writer out) {
        this.out = out;
    }

    @Override
    public void accept(GcEvent event) {
        try {
            out.write(Printable.json(EventForm.of(event).json()));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
