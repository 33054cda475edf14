package dev.jdyno.load.reply;

import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Until;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Counts the events in the bodies of one user's replies while they arrive, and detects the end of
/// a reply by the rule of the session. It keeps no bytes. Events of `text/event-stream` follow its
/// specification (HTML, 9.2.6): lines end with CR, LF or CRLF, a blank line ends an event, and a
/// block without a data field is no event. In other replies, each chunk is an event.
public final class EventReader {
    /// Maximum length of a line in bytes. The longest tokens and documents of streams have some kB.
    static final int LONGEST_LINE = 1 << 20;

    /// Maximum length of an event in bytes, comments included.
    static final int LONGEST_EVENT = 16 << 20;

    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /// The text that ends a reply; empty if the rule has no text.
    private final byte[] end;

    /// Failure table of the text search: for each number of matched bytes of `end`, the length of
    /// the next shorter match.
    private final int[] shorter;

    private final int max;

    private boolean lines;
    private int events;
    private int taken;
    private boolean over;
    private int matched;

    private int lineBytes;
    private int eventBytes;
    private boolean afterReturn;

    /// True if the line, as far as it has arrived, is a data field.
    private boolean dataLine;

    private boolean hasData;

    /// Number of bytes of the line's value that match `end`; -1 after a difference.
    private int same;

    /// Number of bytes of the byte-order mark (BOM) that have arrived at the start of the body; -1
    /// after it.
    private int mark;

    public EventReader(ReplyRules rules) {
        Until until = rules.until().orElse(null);
        this.end =
                until instanceof Until.Text(String text)
                        ? text.getBytes(StandardCharsets.UTF_8)
                        : new byte[0];
        this.max = until instanceof Until.Events(int number) ? number : Integer.MAX_VALUE;
        this.shorter = shorter(end);
    }

    private static int[] shorter(byte[] text) {
        int[] shorter = new int[text.length + 1];
        for (int i = 1, n = 0; i < text.length; i++) {
            while (n > 0 && text[i] != text[n]) {
                n = shorter[n];
            }
            if (text[i] == text[n]) {
                n++;
            }
            shorter[i + 1] = n;
        }
        return shorter;
    }

    /// Resets the reader for the next reply.
    ///
    /// @param eventStream true if the reply is `text/event-stream`; otherwise its chunks are the
    ///   events
    public void begin(boolean eventStream) {
        lines = eventStream;
        events = 0;
        taken = 0;
        over = false;
        matched = 0;
        mark = 0;
        afterReturn = false;
        hasData = false;
        eventBytes = 0;
        startLine();
    }

    private void startLine() {
        lineBytes = 0;
        dataLine = true;
        same = 0;
    }

    /// Reads the next bytes of the body.
    ///
    /// @return mistake in the bytes; null without a mistake
    public @Nullable FailureReason data(byte[] b, int from, int length) {
        if (lines) {
            return lines(b, from, from + length);
        }
        for (int i = from; i < from + length && end.length > 0 && !over; i++) {
            search(b[i]);
        }
        return null;
    }

    private void search(byte c) {
        while (matched > 0 && end[matched] != c) {
            matched = shorter[matched];
        }
        if (end[matched] == c && ++matched == end.length) {
            over = true;
        }
    }

    private @Nullable FailureReason lines(byte[] b, int from, int to) {
        for (int i = from; i < to && !over; i++) {
            byte c = b[i];
            boolean lineFeedOfReturn = c == '\n' && afterReturn;
            afterReturn = c == '\r';
            if (lineFeedOfReturn) {
                continue;
            }
            if (c == '\n' || c == '\r') {
                lineOver();
                continue;
            }
            if (mark >= 0 && isMark(c)) {
                continue;
            }
            if (lineBytes >= LONGEST_LINE) {
                return FailureReason.EVENT_LINE_TOO_LONG;
            }
            if (eventBytes >= LONGEST_EVENT) {
                return FailureReason.EVENT_TOO_LONG;
            }
            take(c);
        }
        return null;
    }

    /// True if the byte belongs to a byte-order mark at the very start, which is skipped.
    private boolean isMark(byte c) {
        if (mark < MARK.length && c == MARK[mark] && lineBytes == 0 && eventBytes == 0) {
            mark++;
            return true;
        }
        mark = -1;
        return false;
    }

    private void take(byte c) {
        int at = lineBytes++;
        eventBytes++;
        if (at < DATA.length) {
            dataLine &= c == DATA[at];
        } else if (at == DATA.length) {
            dataLine &= c == ':';
        } else if (dataLine && same >= 0 && !(c == ' ' && at == DATA.length + 1)) {
            same = same < end.length && end[same] == c ? same + 1 : -1;
        }
    }

    private void lineOver() {
        mark = -1;
        if (lineBytes == 0) {
            eventBytes = 0;
            if (hasData) {
                hasData = false;
                count();
            }
        } else if (dataLine && lineBytes >= DATA.length) {
            hasData = true;
            over = end.length > 0 && same == end.length;
        }
        startLine();
    }

    private void count() {
        events++;
        over = events >= max;
    }

    /// Called when a chunk, or a frame with data, is complete.
    public void chunkOver() {
        if (!lines && !over) {
            count();
        }
    }

    /// Number of events since the last call.
    public int take() {
        int n = events - taken;
        taken = events;
        return n;
    }

    /// True if the reply is over by the rule of the session.
    public boolean isOver() {
        return over;
    }

    /// True if the rule requires a text that ends the reply and this text has not arrived.
    public boolean lacksEnd() {
        return end.length > 0 && !over;
    }
}
