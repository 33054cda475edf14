package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.read.WallClock;
import dev.jdyno.gclog.unified.UnifiedReader;
import dev.jdyno.measure.gc.Collector;
import java.nio.charset.StandardCharsets;

/// Shenandoah in JDK 8, to which it was backported: the words of unified logging in the brackets of
/// JDK 8,
///
///     2020-03-10T08:03:29.365-0400: 0.427: #1: [Pause Final Mark 16M->17M(21M), 2.462 ms]
///     13.979: [Concurrent marking
///         Cancelling GC: Allocation Failure
///     , 2714.003 ms]
///
/// Each bracket is converted to unified logging and passed to its reader. Collections are numbered
/// by `Concurrent reset`, with which a cycle begins.
public final class LegacyShenandoah {
    private static final byte[] PAUSE = Scan.word("[Pause ");
    private static final byte[] CONCURRENT = Scan.word("[Concurrent ");
    private static final byte[] CANCEL = Scan.word("[Cancel ");
    private static final String RESET = "Concurrent reset";
    private static final byte[] START = Scan.word(", start]");
    private static final byte[] MS = Scan.word(" ms]");

    /// Length of ` ms`.
    private static final int UNIT = 3;

    /// Minimum length of a time stamp such as `0.427`. The next constant is the distance of its
    /// point from its end.
    private static final int SHORTEST = 5;

    private static final int DECIMALS = 4;

    /// Beginning of detail lines inside and below a bracket.
    private static final byte[] INDENT = Scan.word("    ");

    private final LogState log;
    private final UnifiedReader unified;
    private final WallClock wall = new WallClock();
    private final Scan message = new Scan();

    /// Text of a bracket that continues on another line; empty if none is open.
    private String open = "";

    private int cycle;

    public LegacyShenandoah(LogState log, UnifiedReader unified) {
        this.log = log;
        this.unified = unified;
    }

    /// Reads the line and returns its fate. For any other kind of line, returns `FOREIGN` and does
    /// not move the cursor.
    public LineFate line(Scan s) {
        if (log.collector != Collector.UNKNOWN && log.collector != Collector.SHENANDOAH) {
            return LineFate.FOREIGN;
        }
        int from = s.p;
        if (!open.isEmpty() && s.b[from] == ',' && s.find(MS)) {
            String words = open + s.text(from, s.p + UNIT);
            open = "";
            return readPause(words);
        }
        s.p = from;
        int bracket = bracketAt(s);
        if (bracket >= 0) {
            stamps(s, bracket);
            return bracket(s, bracket);
        }
        boolean detail = s.startsWith(INDENT) || s.find(CANCEL);
        s.p = from;
        return detail && log.collector == Collector.SHENANDOAH
                ? LineFate.SKIPPED
                : LineFate.FOREIGN;
    }

    private static int bracketAt(Scan s) {
        for (int i = s.p; i < s.end; i++) {
            if (s.b[i] == '[' && (s.matchesAt(i, PAUSE) || s.matchesAt(i, CONCURRENT))) {
                return i;
            }
        }
        return -1;
    }

    private LineFate bracket(Scan s, int bracket) {
        log.assume(Collector.SHENANDOAH);
        s.p = bracket;
        if (s.find(START)) {
            return LineFate.SKIPPED;
        }
        s.p = bracket;
        if (s.find(MS)) {
            return readPause(s.text(bracket + 1, s.p + UNIT));
        }
        open = s.text(bracket + 1, s.end);
        return LineFate.SKIPPED;
    }

    /// @param words `Pause Init Mark, 3.587 ms`, possibly with more text after it
    private LineFate readPause(String words) {
        int comma = words.lastIndexOf(',', words.lastIndexOf(" ms"));
        int ms = words.lastIndexOf(" ms");
        if (comma < 0 || ms < comma) {
            return LineFate.BROKEN;
        }
        String what = words.substring(0, comma).strip();
        if (what.startsWith(RESET)) {
            cycle++;
        }
        byte[] line =
                ("GC(" + cycle + ") " + what + " " + words.substring(comma + 1, ms).strip() + "ms")
                        .getBytes(StandardCharsets.ISO_8859_1);
        message.at(line, 0, line.length);
        return unified.bare(message);
    }

    /// Reads stamps such as `2020-03-10T08:03:29.365-0400: 0.427: ` before the bracket.
    private void stamps(Scan s, int bracket) {
        while (s.p < bracket) {
            if (wall.read(s.b, s.p, bracket)) {
                log.clock.wall(wall.epochMs);
                s.p = wall.stop;
            } else if (Scan.isDigit(s.b[s.p])) {
                int from = s.p;
                s.number();
                // the number of the collection, such as `#2:`, has no decimals, but a time stamp
                // has
                boolean fraction = s.p >= from + SHORTEST && !Scan.isDigit(s.b[s.p - DECIMALS]);
                if (fraction && s.accept(':')) {
                    log.clock.uptime(s.value);
                }
            } else {
                s.p++;
            }
        }
    }
}
