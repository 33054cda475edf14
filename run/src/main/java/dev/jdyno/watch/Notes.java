package dev.jdyno.watch;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// The troubles of the watch of one service. Each is reported once, and only so many of them: a
/// trouble whose text is another one each time would fill the log of a watch of days.
final class Notes {
    /// Maximum number of different troubles that are reported.
    static final int MAX = 50;

    private final Consumer<String> to;
    private final Set<String> reported = new HashSet<>();
    private long unreported;

    Notes(Consumer<String> to) {
        this.to = to;
    }

    /// Reports a trouble, if it is a new one.
    void add(String says) {
        if (reported.contains(says)) {
            return;
        }
        if (reported.size() < MAX) {
            reported.add(says);
            to.accept(says);
            return;
        }
        if (unreported == 0) {
            to.accept(
                    "these were "
                            + MAX
                            + " different notes; further ones are not printed, and are counted"
                            + " until the end of the watch");
        }
        unreported++;
    }

    /// Reports how many troubles were not reported. Repeated ones count each time, because their
    /// texts were not kept.
    void end() {
        if (unreported > 0) {
            to.accept("notes that were not printed: " + unreported);
        }
    }
}
