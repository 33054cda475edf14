package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Writes the events of a log as CSV while the log is read. Each pause, cycle, safepoint or stall
/// is a row.
public final class EventExport implements Consumer<GcEvent> {
    private static final String HEAD =
            "line,event,id,uptimeS,epochMs,kind,cause,ms,heapBefore,heapAfter,heapCapacity,"
                    + "youngBefore,youngAfter,oldBefore,oldAfter,promoted,userS,sysS,nested\n";

    private final Writer out;

    /// @param out receives the rows; this class neither flushes nor closes it
    public EventExport(Writer out) throws IOException {
        this.out = out;
        out.write(HEAD);
    }

    @Override
    public void accept(GcEvent event) {
        String row =
                switch (event) {
                    case GcEvent.Pause p ->
                            head(p, "pause", p.id())
                                    + p.kind().key()
                                    + ','
                                    + quoted(p.cause())
                                    + ','
                                    + ms(p.ms())
                                    + ','
                                    + space(p.heap())
                                    + capacity(p.heap())
                                    + ','
                                    + space(p.young())
                                    + space(p.old())
                                    + number(p.promotedBytes())
                                    + ','
                                    + p.cpu().map(c -> ms(c.userS())).orElse("")
                                    + ','
                                    + p.cpu().map(c -> ms(c.systemS())).orElse("")
                                    + ','
                                    + p.nested();
                    case GcEvent.Cycle c ->
                            head(c, "cycle", c.id())
                                    + c.kind()
                                    + ','
                                    + quoted(c.cause())
                                    + ','
                                    + (c.ms().isPresent() ? ms(c.ms().getAsDouble()) : "")
                                    + ','
                                    + space(c.heap())
                                    + capacity(c.heap())
                                    + ",,,,,"
                                    + number(c.promotedBytes())
                                    + ",,,false";
                    case GcEvent.ConcurrentPhase c ->
                            head(c, "concurrentPhase", OptionalLong.empty())
                                    + quoted(c.name())
                                    + ",,"
                                    + ms(c.ms())
                                    + ",,,,,,,,,,,";
                    case GcEvent.SafepointStop s ->
                            head(s, "safepoint", OptionalLong.empty())
                                    + quoted(s.operation())
                                    + ",,"
                                    + ms(s.totalMs())
                                    + ",,,,,,,,,,,";
                    case GcEvent.Stall s ->
                            head(s, "stall", OptionalLong.empty())
                                    + ","
                                    + quoted(s.thread())
                                    + ','
                                    + ms(s.ms())
                                    + ",,,,,,,,,,,";
                    case GcEvent.JvmStart s ->
                            head(s, "jvmStart", OptionalLong.empty()) + ",,,,,,,,,,,,,";
                };
        try {
            out.write(row);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String head(GcEvent e, String event, OptionalLong id) {
        return e.line()
                + ","
                + event
                + ','
                + number(id)
                + ','
                + ms(e.when().uptimeS())
                + ','
                + number(e.when().epochMs())
                + ',';
    }

    private static String space(Optional<GcEvent.Occupancy> o) {
        return o.map(x -> x.beforeBytes() + "," + x.afterBytes() + ",").orElse(",,");
    }

    private static String capacity(Optional<GcEvent.Occupancy> o) {
        return o.map(x -> number(x.capacityBytes())).orElse("");
    }

    private static String number(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }

    private static String ms(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    /// A cell by RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe.
    private static String quoted(String cell) {
        String text = Printable.line(cell);
        String safe = !text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return safe.contains(",") || safe.contains("\"")
                ? '"' + safe.replace("\"", "\"\"") + '"'
                : safe;
    }
}
