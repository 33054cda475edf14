package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import org.jspecify.annotations.Nullable;

/// The vocabulary of JDK 6–8 logs: the meaning of a bracket's first words and of the groups in it.
final class LegacyWords {
    private static final byte[] GC = Scan.word("GC");
    private static final byte[] FULL = Scan.word("Full GC");
    private static final byte[] PAUSE = Scan.word(" pause");
    private static final byte[] REMARK = Scan.word(" remark");
    private static final byte[] CLEANUP = Scan.word(" cleanup");
    private static final byte[] CONCURRENT = Scan.word(" concurrent-");

    /// The beginning of a part of G1's remark and young pauses: `[GC remark 0.1: [GC ref-proc,
    /// 0.003 secs], …`.
    private static final byte[] REF_PROC = Scan.word(" ref-proc");

    private static final byte[] DASHES = Scan.word("--");
    private static final byte[] CMS_CONCURRENT = Scan.word("CMS-concurrent-");
    private static final byte[] CMS_PERM = Scan.word("CMS Perm");
    private static final byte[] CMS = Scan.word("CMS");
    private static final byte[] PERM = Scan.word("Perm");
    private static final byte[] METASPACE = Scan.word("Metaspace");
    private static final byte[] PS_PERM = Scan.word("PSPermGen");
    private static final byte[] PAR_NEW = Scan.word("ParNew");
    private static final byte[] DEF_NEW = Scan.word("DefNew");
    private static final byte[] PS_YOUNG = Scan.word("PSYoungGen");
    private static final byte[] TENURED = Scan.word("Tenured");
    private static final byte[] PS_OLD = Scan.word("PSOldGen");
    private static final byte[] PAR_OLD = Scan.word("ParOldGen");
    private static final byte[] TIMES = Scan.word("Times: user=");
    private static final byte[] SYS = Scan.word("sys=");
    private static final byte[] REAL = Scan.word("real=");

    private final LogState log;

    LegacyWords(LogState log) {
        this.log = log;
    }

    /// The kind of the bracket whose first byte is at the cursor. Moves behind the words that
    /// identify it, except those of a collection and of concurrent work.
    LegacyFrame.Kind kind(Scan s) {
        if (s.startsWith(GC)) {
            int from = s.p;
            s.p += GC.length;
            boolean concurrent = s.startsWith(CONCURRENT);
            if (s.startsWith(REF_PROC)) {
                s.p = from;
                return LegacyFrame.Kind.OTHER;
            }
            boolean word = s.p < s.end && Character.isLetter(s.b[s.p]);
            s.p = from;
            return concurrent
                    ? LegacyFrame.Kind.CONCURRENT
                    : word || worker(s) ? LegacyFrame.Kind.OTHER : LegacyFrame.Kind.GC;
        }
        if (s.startsWith(FULL)) {
            return LegacyFrame.Kind.GC;
        }
        if (s.accept(TIMES)) {
            return LegacyFrame.Kind.TIMES;
        }
        if (s.startsWith(CMS_CONCURRENT)) {
            log.assume(Collector.CMS);
            return LegacyFrame.Kind.CONCURRENT;
        }
        if (s.accept(PAR_NEW)) {
            log.assume(Collector.PARNEW);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(DEF_NEW)) {
            log.assume(Collector.SERIAL);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(PS_YOUNG)) {
            log.assume(Collector.PARALLEL);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(METASPACE)) {
            return LegacyFrame.Kind.METASPACE;
        }
        if (s.accept(CMS_PERM) || s.accept(PS_PERM) || s.accept(PERM)) {
            log.setup.permanentGeneration = true;
            return LegacyFrame.Kind.METASPACE;
        }
        if (s.accept(CMS)) {
            isCms();
            return LegacyFrame.Kind.OLD;
        }
        if (s.accept(TENURED)) {
            return LegacyFrame.Kind.OLD;
        }
        boolean serialOld = s.accept(PS_OLD);
        if (serialOld || s.accept(PAR_OLD)) {
            log.setup.serialOld |= serialOld;
            log.assume(Collector.PARALLEL);
            return LegacyFrame.Kind.OLD;
        }
        return LegacyFrame.Kind.OTHER;
    }

    private static final byte[] WORKER = Scan.word("GC Worker");

    /// True for `[GC Worker Start (ms): …`, which is a phase, and for `[GC Workers`, which is a
    /// count.
    private static boolean worker(Scan s) {
        return s.startsWith(WORKER);
    }

    void isCms() {
        if (log.collector == Collector.UNKNOWN
                || log.collector == Collector.PARNEW
                || log.collector == Collector.SERIAL) {
            log.collector = Collector.CMS;
        }
    }

    /// True if a collection may contain another one. Only a remark that first runs a young
    /// collection may contain one; its start shows the occupancy of the young generation.
    boolean mayNest(LegacyFrame outer) {
        return outer.kind == LegacyFrame.Kind.GC
                && !outer.holdsAnother
                && (outer.pause == PauseKind.REMARK || outer.name.equals("YG"));
    }

    /// Reads the words of `[GC…` and `[Full GC…` and moves behind them.
    void opened(Scan s, LegacyFrame frame) {
        if (s.accept(FULL)) {
            frame.pause = PauseKind.FULL;
            return;
        }
        s.accept(GC);
        if (s.accept(PAUSE)) {
            log.assume(Collector.G1);
        } else if (s.accept(REMARK)) {
            log.assume(Collector.G1);
            frame.pause = PauseKind.REMARK;
        } else if (s.accept(CLEANUP)) {
            log.assume(Collector.G1);
            frame.pause = PauseKind.CLEANUP;
        } else if (s.accept(DASHES)) {
            frame.draft.troubles.add(Trouble.PROMOTION_FAILED);
        }
    }

    /// Reads `CMS-concurrent-mark` or `GC concurrent-mark-end`, up to the colon, comma or bracket.
    String concurrentName(Scan s) {
        int from = s.p;
        while (s.p < s.end && s.b[s.p] != ':' && s.b[s.p] != ',' && s.b[s.p] != ']') {
            s.p++;
        }
        return log.names.of(s.b, from, s.p);
    }

    /// Reads a group in parentheses: a cause, a kind of pause, or a problem.
    ///
    /// @param own true if the group is directly in the collection's bracket
    /// @return true if the words are known; false for a group of figures
    boolean group(Scan s, int from, int to, LegacyFrame gc, boolean own) {
        String text = log.names.of(s.b, from, to);
        switch (text) {
            case "young" -> {}
            case "mixed" -> gc.pause = PauseKind.MIXED;
            case "partial" -> gc.pause = PauseKind.MIXED;
            case "initial-mark" -> {
                gc.pause = PauseKind.CONCURRENT_START;
                gc.wasConcurrentStart = true;
            }
            case "to-space exhausted", "to-space overflow", "evacuation failure" ->
                    gc.draft.troubles.add(Trouble.EVACUATION_FAILURE);
            case "promotion failed" -> gc.draft.troubles.add(Trouble.PROMOTION_FAILED);
            case "concurrent mode failure" ->
                    gc.draft.troubles.add(Trouble.CONCURRENT_MODE_FAILURE);
            case "concurrent mode interrupted" ->
                    gc.draft.troubles.add(Trouble.CONCURRENT_MODE_INTERRUPTED);
            default -> {
                if (!own || Scan.isDigit(s.b[from])) {
                    return false;
                }
                if (gc.cause.isEmpty()) {
                    gc.cause = text;
                }
            }
        }
        return true;
    }

    /// The kind of a stop that shows one occupancy and no change: an initial mark or remark of CMS
    /// without details, such as `[GC 134816K(262016K), 0.0001227 secs]`. In JDK 8, the cause is its
    /// name. Without a name, initial marks and remarks alternate.
    PauseKind standing(String cause, boolean marked) {
        log.assume(Collector.CMS);
        if (cause.contains("Remark")) {
            return PauseKind.REMARK;
        }
        return marked && !cause.contains("Initial") ? PauseKind.REMARK : PauseKind.INITIAL_MARK;
    }

    /// Reads `0.61 sys=0.08, real=0.15 secs` after "user=".
    GcEvent.@Nullable Cpu times(Scan s) {
        if (!s.number()) {
            return null;
        }
        double user = s.value;
        if (!s.after(SYS) || !s.number()) {
            return null;
        }
        double system = s.value;
        if (!s.after(REAL) || !s.number()) {
            return null;
        }
        return new GcEvent.Cpu(user, system, s.value);
    }
}
