package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.read.Scan;

/// The block that `-XX:+G1SummarizeRSetStats` prints before and after collections and at the end:
/// two headings, each followed by indented lines of counts.
final class RemSetSummary {
    private static final byte[] SUMMARY = Scan.word("GC RS summary");
    private static final byte[][] HEADINGS = {
        Scan.word("Recent concurrent refinement statistics"),
        Scan.word("Current rem set statistics"),
        Scan.word("Cumulative RS summary"),
        Scan.word("Concurrent RS processed "),
        Scan.word("Before GC RS summary"),
        Scan.word("After GC RS summary"),
    };
    private static final byte[] LARGEST = Scan.word("Region with largest ");

    private boolean inside;

    /// True if the line belongs to the block. The cursor does not move.
    boolean holds(Scan s) {
        int from = s.p;
        s.spaces();
        boolean own = s.p < s.end && (heading(s) || (inside && s.p > from && counts(s)));
        s.p = from;
        // the block may begin on the line of the collection that it interrupts
        inside = own || s.find(SUMMARY);
        s.p = from;
        return own;
    }

    private static boolean heading(Scan s) {
        for (byte[] heading : HEADINGS) {
            if (s.startsWith(heading)) {
                return true;
            }
        }
        return false;
    }

    /// True for a line of counts. A line with a bracket belongs to the collection, not to the
    /// block.
    private static boolean counts(Scan s) {
        return s.startsWith(LARGEST) || !s.find('[');
    }
}
