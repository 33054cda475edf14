package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.legacy.LegacyReader;
import dev.jdyno.gclog.legacy.LegacyShenandoah;
import dev.jdyno.gclog.read.ByteLines;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.unified.UnifiedReader;
import dev.jdyno.measure.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// Passes every line of a log to the reader of its format, which it recognises by the content. It
/// counts the lines by how they were handled ({@link LineFate}). To add a format, extend {@link
/// #line} for lines that begin with `[`, or {@link #other} for the rest. Lines of unified logging
/// are read by {@link UnifiedReader}, those of its head by {@link
/// dev.jdyno.gclog.unified.UnifiedSetup}.
final class LogReader implements ByteLines.Taker {
    /// Maximum number of unread lines that are shown, and of the characters of each.
    private static final int SHOWN = 3;

    private static final int SHOWN_CHARS = 160;

    /// Minimum length of a message in bytes after which the line may contain another message.
    private static final int MIN_MESSAGE = 20;

    /// Number of bytes of a message that are searched for another message.
    private static final int LONGEST_MESSAGE = 1024;

    private static final byte[] GC_ID = Scan.word("GC(");
    private static final byte[] GC_TAG = Scan.word("[gc");

    /// A warning such as `OpenJDK 64-Bit Server VM warning: Option UseConcMarkSweepGC was
    /// deprecated in version 9.0 …`.
    private static final byte[] VM_WARNING = Scan.word("Server VM warning: ");

    private static final byte[] SAFEPOINT_TAG = Scan.word("[safepoint");

    private final LogState log;
    private final Scan s = new Scan();
    private final UnifiedReader unified;
    private final LegacyReader legacy;
    private final LegacyShenandoah shenandoah;
    private boolean sawUnified;
    private boolean sawLegacy;
    private long read;
    private long skipped;
    private long foreign;
    private long broken;
    private long blank;
    private long joined;

    /// True if a message after the first one of its line was torn. The messages before it were
    /// read.
    private boolean tornBehind;

    /// Position at which the decorations of the message at the cursor begin.
    private int decorationsAt;

    private boolean bare;
    private int restarts;
    private final List<Analysis.Unread> firstUnread = new ArrayList<>();

    LogReader(LogState log) {
        this.log = log;
        unified = new UnifiedReader(log);
        legacy = new LegacyReader(log);
        shenandoah = new LegacyShenandoah(log, unified);
    }

    @Override
    public void line(byte[] b, int from, int to) {
        log.line++;
        if (from == to) {
            blank++;
            return;
        }
        s.at(b, from, to);
        LineFate fate = b[from] == '[' && decorated(from) ? message() : other(from);
        switch (fate) {
            case READ -> read++;
            case SKIPPED -> skipped++;
            case FOREIGN -> {
                foreign++;
                show(b, from, to);
            }
            case BROKEN -> {
                broken++;
                show(b, from, to);
                if (!tornBehind) {
                    resume(from + 1);
                }
                tornBehind = false;
            }
        }
    }

    /// True if the line has decorations of this log. In a log of JDK 6–8,
    /// `[2024-03-01T10:00:00.123+0000][info] …` is a line of the application.
    private boolean decorated(int from) {
        if (!unified.decorated(s)) {
            return false;
        }
        decorationsAt = from;
        int message = s.p;
        if (sawUnified || !sawLegacy || hasGcTag(from)) {
            s.p = message;
            return true;
        }
        return false;
    }

    private boolean hasGcTag(int from) {
        s.p = from;
        return s.find(GC_ID) || s.find(GC_TAG) || s.find(SAFEPOINT_TAG);
    }

    /// Reads a line that does not begin with decorations.
    private LineFate other(int from) {
        s.p = from;
        if (s.after(VM_WARNING)) {
            log.setup.warning(s.text(s.p, s.end));
            return LineFate.SKIPPED;
        }
        if (UnifiedReader.isBareMessage(s)) {
            bare = true;
            log.setup.unified = true;
            return unified.bare(s);
        }
        if (bare) {
            LineFate fate = unified.bare(s);
            return fate == LineFate.READ ? fate : LineFate.FOREIGN;
        }
        if (hasGcTag(from)) {
            // a container runtime or a logger has written a prefix
            s.p = from;
            return inside(from) ? message() : LineFate.BROKEN;
        }
        s.p = from;
        if (read == 0 && unified.bare(s) == LineFate.READ) {
            return LineFate.READ;
        }
        s.p = from;
        if (sawUnified && !LegacyReader.begins(s)) {
            s.p = from;
            return inside(from) ? LineFate.SKIPPED : LineFate.FOREIGN;
        }
        sawUnified = false;
        s.p = from;
        restarted();
        LineFate fate = shenandoah.line(s);
        if (fate != LineFate.FOREIGN) {
            sawLegacy = true;
            return fate;
        }
        fate = legacy.line(s);
        sawLegacy |= fate == LineFate.READ;
        return fate;
    }

    /// Moves to the message of the first decorated message at or after `from`.
    private boolean inside(int from) {
        for (int i = from; i < s.end; i++) {
            if (s.b[i] == '[') {
                s.p = i;
                if (unified.decorated(s)) {
                    decorationsAt = i;
                    return true;
                }
            }
        }
        return false;
    }

    /// Position at which another decorated message begins behind the one at the cursor, for example
    /// because a log shipper dropped the line end; negative if there is none. The cursor does not
    /// move.
    private int joint() {
        int message = s.p;
        // assumes that the decorations of both messages have about the same length
        int longEnough = message + (message - decorationsAt) + MIN_MESSAGE;
        int to = s.end > longEnough ? Math.min(s.end, message + LONGEST_MESSAGE) : message;
        int found = -1;
        boolean probed = false;
        for (int i = message + 1; i < to && found < 0; i++) {
            if (s.b[i] == '[') {
                s.p = i;
                probed = true;
                found = unified.decorated(s) && unified.isSure() ? i : -1;
            }
        }
        if (probed) {
            s.p = decorationsAt;
            unified.decorated(s);
        }
        s.p = message;
        return found;
    }

    /// Reads a complete message inside a broken line, in which the lines of two threads were mixed.
    private void resume(int from) {
        int behind = from;
        while (inside(behind)) {
            // the first decorations may still be those of the broken line
            behind = s.p;
            if (message() == LineFate.READ) {
                return;
            }
        }
    }

    /// Reads the message at the cursor and those that were joined to it. If the first message of
    /// the line is torn, the others are not read.
    private LineFate message() {
        int joint = joint();
        LineFate fate = upTo(joint);
        if (fate == LineFate.BROKEN) {
            return fate;
        }
        while (joint >= 0) {
            joined++;
            s.p = joint;
            decorationsAt = joint;
            unified.decorated(s);
            joint = joint();
            LineFate next = upTo(joint);
            tornBehind |= next == LineFate.BROKEN;
            fate = next == LineFate.READ ? next : fate;
        }
        return tornBehind ? LineFate.BROKEN : fate;
    }

    private LineFate upTo(int joint) {
        int end = s.end;
        if (joint >= 0) {
            s.end = joint;
            while (s.b[s.end - 1] == ' ') {
                s.end--;
            }
        }
        LineFate fate = single();
        s.end = end;
        return fate;
    }

    private LineFate single() {
        sawUnified = true;
        log.setup.unified = true;
        unified.tick(s);
        restarted();
        return unified.message(s);
    }

    private void restarted() {
        int now = log.clock.restarts();
        boolean another = now > restarts;
        restarts = now;
        if (another) {
            unified.flush();
            log.events.accept(new GcEvent.JvmStart(log.line, log.clock.now()));
        }
    }

    private void show(byte[] b, int from, int to) {
        if (firstUnread.size() < SHOWN) {
            s.at(b, from, to);
            firstUnread.add(
                    new Analysis.Unread(
                            log.line,
                            // the bytes of a binary file must not reach a terminal
                            Printable.line(s.text(from, Math.min(to, from + SHOWN_CHARS)))));
        }
    }

    Analysis.Lines finish() {
        unified.flush();
        if (legacy.flush()) {
            broken++;
        }
        return new Analysis.Lines(
                log.line,
                read,
                skipped + blank,
                foreign,
                broken,
                joined + legacy.joined(),
                firstUnread);
    }
}
