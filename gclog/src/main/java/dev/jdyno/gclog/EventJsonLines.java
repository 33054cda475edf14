package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.function.Consumer;

/// Writes the events of a log as JSON Lines while it is read: everything the log showed of an
/// event, its phases and age table too. What the log does not tell has no key.
public final class EventJsonLines implements Consumer<GcEvent> {
    private final Writer out;

    /// @param out is written to and neither flushed nor closed
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
