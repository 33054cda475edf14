package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.unified.UnifiedSafepoints;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The table that `-XX:+PrintSafepointStatistics` prints before JDK 9, with a row for each stop and
/// a summary at the end. It prints some hundred rows at once or, with
/// `-XX:PrintSafepointStatisticsCount=1`, row by row. Times are in whole ms:
///
///              vmop              [threads: total initially_running wait_to_block]  [time: spin block sync cleanup vmop] page_trap_count
///     0.486: ThreadDump          [      22          1              3    ]      [     0     0     0     0     0    ]  1
///
/// `sync` includes `spin` and `block`. If the log also has a line for each stop, the row only gives
/// the operation of the next line.
final class SafepointTable {
    private static final byte[] HEADING = Scan.word("vmop ");
    private static final byte[] THREADS = Scan.word("[threads: total");
    private static final byte[] SUMMARY = Scan.word("Polling page always armed");
    private static final byte[] COALESCED = Scan.word(" VM operations coalesced during safepoint");
    private static final byte[] MAX_SYNC = Scan.word("Maximum sync time ");
    private static final byte[] MAX_OPERATION = Scan.word("Maximum vm operation time ");

    /// Number of figures in each of the two brackets of a row. The next constants are indexes of
    /// the used figures.
    private static final int THREAD_FIGURES = 3;

    private static final int TIME_FIGURES = 5;
    private static final int SYNC = 2;
    private static final int CLEANUP = 3;
    private static final int OPERATION = 4;

    private final LogState log;
    private final UnifiedSafepoints safepoints;
    private final long[] figures = new long[TIME_FIGURES];
    private GcEvent.@Nullable SafepointStop waiting;
    private boolean stopsHaveLines;
    private boolean summary;

    SafepointTable(LogState log, UnifiedSafepoints safepoints) {
        this.log = log;
        this.safepoints = safepoints;
    }

    /// Reads the line and returns how it was handled. Returns `FOREIGN` if it is not part of the
    /// table.
    LineFate read(Scan s) {
        int from = s.p;
        byte first = s.b[from];
        if (Scan.isDigit(first) && row(s)) {
            return LineFate.READ;
        }
        s.p = from;
        boolean known = first == ' ' ? indented(s) : summary(s);
        s.p = from;
        return known ? LineFate.SKIPPED : LineFate.FOREIGN;
    }

    private boolean indented(Scan s) {
        s.spaces();
        if (s.startsWith(HEADING)) {
            return s.find(THREADS);
        }
        return s.whole() && s.startsWith(COALESCED);
    }

    /// True for a line of the summary. Lines such as `RevokeBias 1` are between its first and last
    /// line.
    private boolean summary(Scan s) {
        if (s.startsWith(HEADING) && s.find(THREADS)) {
            return true;
        }
        if (s.startsWith(SUMMARY)) {
            summary = true;
            return true;
        }
        if (s.startsWith(MAX_SYNC) || s.startsWith(MAX_OPERATION)) {
            summary = false;
            return true;
        }
        if (!summary || !s.find(' ')) {
            return false;
        }
        s.spaces();
        return s.whole() && s.p == s.end;
    }

    private boolean row(Scan s) {
        if (!s.number()) {
            return false;
        }
        double uptimeS = s.value;
        if (!s.accept(':')) {
            return false;
        }
        s.spaces();
        int name = s.p;
        if (name >= s.end || !Character.isLetter(s.b[name]) || !s.find('[')) {
            return false;
        }
        int behind = s.p;
        while (behind > name && s.b[behind - 1] == ' ') {
            behind--;
        }
        if (!figures(s, THREAD_FIGURES) || !figures(s, TIME_FIGURES)) {
            return false;
        }
        String operation = log.names.of(s.b, name, behind);
        double sync = figures[SYNC];
        double work = figures[OPERATION];
        double total = sync + figures[CLEANUP] + work;
        flush();
        GcEvent.When when = log.clock.inTable(uptimeS);
        log.clock.atLeast(when.uptimeS() + total / 1000);
        waiting =
                new GcEvent.SafepointStop(
                        log.line,
                        when,
                        operation,
                        sync,
                        0,
                        total,
                        OptionalDouble.of(isCollection(operation) ? work : 0));
        return true;
    }

    /// Reads the figures of a bracket such as `[ 22 1 3 ]`.
    private boolean figures(Scan s, int count) {
        s.spaces();
        if (!s.accept('[')) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            s.spaces();
            if (!s.whole()) {
                return false;
            }
            figures[i] = s.whole;
        }
        s.spaces();
        return s.accept(']');
    }

    /// True if the operation is a collection, such as `G1IncCollectionPause`,
    /// `GenCollectForAllocation`, `ParallelGCFailedAllocation`, `CMS_Final_Remark`,
    /// `CGC_Operation`.
    private static boolean isCollection(String operation) {
        return operation.contains("Collect")
                || operation.startsWith("ParallelGC")
                || operation.startsWith("CMS_")
                || operation.startsWith("CGC_");
    }

    /// Reads a separate line of a stop, from the text after `… were stopped: `.
    LineFate stopped(Scan s) {
        stopsHaveLines = true;
        if (waiting != null) {
            safepoints.entering(waiting.operation());
            waiting = null;
        }
        return safepoints.stopped(s);
    }

    /// Reports the last row, if no line followed it.
    void flush() {
        if (waiting != null && !stopsHaveLines) {
            log.events.accept(waiting);
        }
        waiting = null;
    }
}
