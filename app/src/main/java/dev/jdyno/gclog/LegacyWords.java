package dev.jdyno.gclog;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The vocabulary of JDK 6–8 logs: what a bracket's first words and the groups in it mean.
final class LegacyWords {
    private static final byte[] GC = Scan.word("GC");
    private static final byte[] FULL = Scan.word("Full GC");
    private static final byte[] PAUSE = Scan.word(" pause");
    private static final byte[] REMARK = Scan.word(" remark");
    private static final byte[] CLEANUP = Scan.word(" cleanup");
    private static final byte[] CONCURRENT = Scan.word(" concurrent-");

    /// A part of G1's remark and of young pauses: `[GC remark 0.1: [GC ref-proc, 0.003 secs], …`.
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

    LegacyWords(LogState log) {
        this.log = log;
    }

    /// The kind of the bracket whose first byte is at the cursor; moves behind the words that say
    /// it, except those of a collection and of concurrent work.
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
            log.looksLike(Collector.CMS);
            return LegacyFrame.Kind.CONCURRENT;
        }
        if (s.accept(PAR_NEW)) {
            log.looksLike(Collector.PARNEW);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(DEF_NEW)) {
            log.looksLike(Collector.SERIAL);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(PS_YOUNG)) {
            log.looksLike(Collector.PARALLEL);
            return LegacyFrame.Kind.YOUNG;
        }
        if (s.accept(CMS_PERM) || s.accept(PS_PERM) || s.accept(PERM) || s.accept(METASPACE)) {
            return LegacyFrame.Kind.METASPACE;
        }
        if (s.accept(CMS)) {
            isCms();
            return LegacyFrame.Kind.OLD;
        }
        if (s.accept(TENURED)) {
            return LegacyFrame.Kind.OLD;
        }
        if (s.accept(PS_OLD) || s.accept(PAR_OLD)) {
            log.looksLike(Collector.PARALLEL);
            return LegacyFrame.Kind.OLD;
        }
        return LegacyFrame.Kind.OTHER;
    }

    private static final byte[] WORKER = Scan.word("GC Worker");

    /// `[GC Worker Start (ms): …` is a phase, `[GC Workers` a count.
    private static boolean worker(Scan s) {
        return s.startsWith(WORKER);
    }

    private void isCms() {
        if (log.collector == Collector.UNKNOWN
                || log.collector == Collector.PARNEW
                || log.collector == Collector.SERIAL) {
            log.collector = Collector.CMS;
        }
    }

    /// A collection may hold another one only where a remark scavenges first; those write the
    /// occupancy of the young generation at the begin.
    boolean mayNest(LegacyFrame outer) {
        return outer.kind == LegacyFrame.Kind.GC
                && (outer.pause == PauseKind.REMARK || outer.name.equals("YG"));
    }

    /// The words of `[GC…` and `[Full GC…`; moves behind them.
    void opened(Scan s, LegacyFrame frame) {
        if (s.accept(FULL)) {
            frame.pause = PauseKind.FULL;
            return;
        }
        s.accept(GC);
        if (s.accept(PAUSE)) {
            log.looksLike(Collector.G1);
        } else if (s.accept(REMARK)) {
            log.looksLike(Collector.G1);
            frame.pause = PauseKind.REMARK;
        } else if (s.accept(CLEANUP)) {
            log.looksLike(Collector.G1);
            frame.pause = PauseKind.CLEANUP;
        } else if (s.accept(DASHES)) {
            frame.draft.troubles.add(Trouble.PROMOTION_FAILED);
        }
    }

    /// `CMS-concurrent-mark`, `GC concurrent-mark-end`: up to the colon, comma or bracket.
    String concurrentName(Scan s) {
        int from = s.p;
        while (s.p < s.end && s.b[s.p] != ':' && s.b[s.p] != ',' && s.b[s.p] != ']') {
            s.p++;
        }
        return log.names.of(s.b, from, s.p);
    }

    /// A group in brackets: cause, kind of pause or trouble.
    ///
    /// @param own whether it stands directly in the collection's bracket
    /// @return whether it was taken; a group of figures is not
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

    /// The first words of a bracket that is a part of a pause, up to the comma before its time:
    /// `weak refs processing` of `[weak refs processing, 0.0001 secs]`. Empty when it is none.
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

    /// A stop that tells one occupancy and no change is a mark or remark of CMS without details:
    /// `[GC 134816K(262016K), 0.0001227 secs]`, in JDK 8 with its name as the cause. Without a name
    /// marks and remarks take turns.
    PauseKind standing(String cause, boolean marked) {
        log.looksLike(Collector.CMS);
        if (cause.contains("Remark")) {
            return PauseKind.REMARK;
        }
        return marked && !cause.contains("Initial") ? PauseKind.REMARK : PauseKind.INITIAL_MARK;
    }

    /// Reads a bracket that is a detail of a pause: G1's sizes and phases, CMS's marks.
    ///
    /// @param draft of the pause the detail belongs to
    /// @param gc the collection around it; null after its end
    /// @return whether it was known
    boolean detail(Scan s, PauseDraft draft, @Nullable LegacyFrame gc) {
        if (gc != null && s.accept(INITIAL_MARK)) {
            isCms();
            gc.pause = PauseKind.INITIAL_MARK;
            return true;
        }
        if (gc != null && s.accept(CMS_REMARK)) {
            isCms();
            gc.pause = PauseKind.REMARK;
            return true;
        }
        if (gc != null && s.accept(YG_OCCUPANCY)) {
            isCms();
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

    /// Whether a line holds only counts of a pause's workers, or what the collector's ergonomics
    /// decided: ` [Processed Buffers: Min: 0, Avg: 1.4, …]`, ` [Humongous Total: 0]`.
    boolean isCount(Scan s, int from) {
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

    /// `Eden: 24.0M(12.0M)->0.0B(10.0M) Survivors: 0.0B->2048.0K Heap:
    /// 43.6M(256.0M)->42.4M(256.0M)`
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
        log.looksLike(Collector.G1);
        return true;
    }

    /// `Parallel Time: 142.2 ms, GC Workers: 8`, `Ext Root Scanning (ms): Min: 0.0, … Max: 8.8, …`.
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
        // the workers' begin and end are moments, not durations
        if (!name.equals("GC Worker Start") && !name.equals("GC Worker End")) {
            log.phases.add(name, ms);
            if (!perThread) {
                draft.phases.add(new GcEvent.Phase(name, ms));
            }
        }
        return true;
    }

    /// `0.61 sys=0.08, real=0.15 secs`, behind "user=".
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
