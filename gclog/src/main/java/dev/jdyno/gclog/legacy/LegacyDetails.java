package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Reads brackets of JDK 6–8 logs that are parts of a collection: CMS's marks, G1's sizes and
/// phases, and the parts of a remark.
final class LegacyDetails {
    private static final byte[] INITIAL_MARK = Scan.word("1 CMS-initial-mark");
    private static final byte[] CMS_REMARK = Scan.word("1 CMS-remark");
    private static final byte[] YG_OCCUPANCY = Scan.word("YG occupancy");
    private static final byte[] EDEN = Scan.word("Eden: ");
    private static final byte[] SURVIVORS = Scan.word("Survivors: ");
    private static final byte[] HEAP = Scan.word("Heap: ");
    private static final byte[] MS = Scan.word(" ms");
    private static final byte[] PER_THREAD = Scan.word(" (ms)");
    private static final byte[] MAX = Scan.word("Max:");

    private final LogState log;
    private final LegacyWords words;

    LegacyDetails(LogState log, LegacyWords words) {
        this.log = log;
        this.words = words;
    }

    /// Reads a bracket that is a detail of a pause: G1's sizes and phases, CMS's marks.
    ///
    /// @param draft draft of the pause to which the detail belongs
    /// @param gc the collection around it; null after its end
    /// @return true if the detail is known
    boolean detail(Scan s, PauseDraft draft, @Nullable LegacyFrame gc) {
        if (gc != null && s.accept(INITIAL_MARK)) {
            words.isCms();
            gc.pause = PauseKind.INITIAL_MARK;
            return true;
        }
        if (gc != null && s.accept(CMS_REMARK)) {
            words.isCms();
            gc.pause = PauseKind.REMARK;
            return true;
        }
        if (gc != null && s.accept(YG_OCCUPANCY)) {
            words.isCms();
            gc.name = "YG";
            return true;
        }
        if (s.accept(EDEN)) {
            return sizes(s, draft);
        }
        return phase(s, draft);
    }

    private static final byte[] ERGONOMICS = Scan.word("[G1Ergonomics");
    private static final byte[] MIN = Scan.word("Min:");
    private static final byte[] WORKERS = Scan.word(":  ");
    private static final byte[] COLON = Scan.word(": ");

    /// True if a line contains only counts of a pause's workers, or a decision of the collector's
    /// ergonomics: ` [Processed Buffers: Min: 0, Avg: 1.4, …]`, ` [Humongous Total: 0]`.
    static boolean isCount(Scan s, int from) {
        s.p = from;
        s.spaces();
        if (s.p > from && s.accept('[') && s.b[s.end - 1] == ']' && s.find(COLON)) {
            return true;
        }
        s.p = from;
        if (s.find(ERGONOMICS)) {
            return true;
        }
        s.p = from;
        return s.b[from] == ' ' && (s.find(MIN) || s.find(WORKERS));
    }

    /// Reads G1's sizes, such as `Eden: 24.0M(12.0M)->0.0B(10.0M) Survivors: 0.0B->2048.0K Heap:
    /// 43.6M(256.0M)->42.4M(256.0M)`.
    private boolean sizes(Scan s, PauseDraft d) {
        if (!s.change()) {
            return false;
        }
        long edenBefore = s.before;
        long edenAfter = s.after;
        if (!s.after(SURVIVORS) || !s.change()) {
            return false;
        }
        long survivorBefore = s.before;
        long survivorAfter = s.after;
        if (!s.after(HEAP) || !s.change()) {
            return false;
        }
        d.heap = PauseDraft.occupancy(s);
        long oldBefore = Math.max(0, s.before - edenBefore - survivorBefore);
        long oldAfter = Math.max(0, s.after - edenAfter - survivorAfter);
        d.young =
                new GcEvent.Occupancy(
                        edenBefore + survivorBefore,
                        edenAfter + survivorAfter,
                        OptionalLong.empty());
        d.old = new GcEvent.Occupancy(oldBefore, oldAfter, OptionalLong.empty());
        log.assume(Collector.G1);
        return true;
    }

    /// Reads a phase such as `Parallel Time: 142.2 ms, GC Workers: 8` or `Ext Root Scanning (ms):
    /// Min: 0.0, … Max: 8.8, …`.
    private boolean phase(Scan s, PauseDraft draft) {
        int from = s.p;
        int colon = from;
        while (colon < s.end && s.b[colon] != ':' && s.b[colon] != ']') {
            colon++;
        }
        if (colon >= s.end || s.b[colon] == ']') {
            return false;
        }
        s.p = colon + 1;
        boolean perThread = colon - from > 5 && s.matchesAt(colon - 5, PER_THREAD);
        if (perThread && !s.after(MAX)) {
            s.p = from;
            return false;
        }
        s.spaces();
        if (!s.number()) {
            s.p = from;
            return false;
        }
        double ms = s.value;
        if (!perThread && !s.startsWith(MS)) {
            s.p = from;
            return false;
        }
        String name = log.names.of(s.b, from, perThread ? colon - 5 : colon);
        // these two phases are points in time, not durations
        if (!name.equals("GC Worker Start") && !name.equals("GC Worker End")) {
            log.phases.add(name, ms);
            if (!perThread) {
                draft.phases.add(new GcEvent.Phase(name, ms));
            }
        }
        return true;
    }

    /// The first words of a bracket that is a part of a pause, up to the comma before its time:
    /// `weak refs processing` in `[weak refs processing, 0.0001 secs]`. Empty if it is no such
    /// bracket.
    String part(Scan s) {
        int from = s.p;
        int to = from;
        while (to < s.end && (Character.isLetter(s.b[to]) || " -()".indexOf(s.b[to]) >= 0)) {
            to++;
        }
        if (to == s.end || s.b[to] != ',' || !Character.isLetter(s.b[from])) {
            return "";
        }
        while (s.b[to - 1] == ' ') {
            to--;
        }
        return log.names.of(s.b, from, to);
    }
}
