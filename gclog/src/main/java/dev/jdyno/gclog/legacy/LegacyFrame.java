package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.read.PauseDraft;

/// One open bracket of a JDK 6–8 log.
final class LegacyFrame {
    /// The kind of a bracket, recognised by its first words.
    enum Kind {
        /// A stop: `[GC …`, `[Full GC …`, `[GC pause …`, `[GC remark …`, `[GC cleanup …`.
        GC,
        /// The young generation: `[ParNew`, `[DefNew`, `[PSYoungGen`.
        YOUNG,
        /// The old generation: `[Tenured`, `[CMS`, `[PSOldGen`, `[ParOldGen`.
        OLD,
        /// Class metadata: `[Metaspace`, `[Perm`, `[CMS Perm`, `[PSPermGen`.
        METASPACE,
        /// Concurrent work: `[CMS-concurrent-…`, `[GC concurrent-…`.
        CONCURRENT,
        /// CPU times: `[Times: …]`. The bracket is read when it opens.
        TIMES,
        OTHER
    }

    Kind kind = Kind.OTHER;
    String name = "";
    boolean hasSeconds;
    double seconds;

    // the fields below are for frames of kind GC
    PauseKind pause = PauseKind.YOUNG;
    String cause = "";
    boolean wasConcurrentStart;
    boolean collectedOld;

    /// Number of the line with the duration of the bracket.
    long line;

    /// True if a young collection ran inside it.
    boolean holdsAnother;

    /// The time stamp before the bracket, as written.
    double stampS;

    /// True if the bracket shows a single occupancy, `134816K(262016K)`, and no change.
    boolean standing;

    GcEvent.When when = new GcEvent.When(0, java.util.OptionalLong.empty());
    final PauseDraft draft = new PauseDraft();

    void open(Kind opened, GcEvent.When at) {
        kind = opened;
        name = "";
        hasSeconds = false;
        seconds = 0;
        pause = PauseKind.YOUNG;
        cause = "";
        line = 0;
        wasConcurrentStart = false;
        collectedOld = false;
        holdsAnother = false;
        standing = false;
        when = at;
        if (opened == Kind.GC) {
            draft.clear();
        }
    }
}
