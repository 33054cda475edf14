package dev.jdyno.trial;

import dev.jdyno.observe.threads.CompilerSample;
import java.util.List;
import java.util.Optional;

/// Decides whether a rest may end: the compilers have nothing left to do, or other processes keep
/// them from their work.
///
/// @param looks samples of the compilers during the rest, two a second
record RestEnd(List<CompilerSample> looks) {
    /// Number of consecutive samples that must show idle compilers.
    private static final int IN_A_ROW = 2;

    /// Number of samples without progress after which the rest ends: 5 s.
    private static final int PATIENCE = 10;

    /// Cores used by the compilers below which they have nothing to do.
    private static final double IDLE_CORES = 0.05;

    RestEnd {
        looks = List.copyOf(looks);
    }

    boolean reached() {
        return areIdle() || getNoFurther();
    }

    private boolean areIdle() {
        return looks.size() >= IN_A_ROW
                && looks.subList(looks.size() - IN_A_ROW, looks.size()).stream()
                        .allMatch(RestEnd::isIdle);
    }

    private static boolean isIdle(CompilerSample look) {
        return look.queued().orElse(0) == 0
                && look.used().orElse(0.0) + look.waited().orElse(0.0) < IDLE_CORES;
    }

    /// True if the queue is at least as long as some seconds ago.
    private boolean getNoFurther() {
        if (looks.size() <= PATIENCE) {
            return false;
        }
        Optional<Integer> then = looks.get(looks.size() - 1 - PATIENCE).queued();
        Optional<Integer> now = looks.getLast().queued();
        return now.isPresent() && then.isPresent() && now.get() > 0 && now.get() >= then.get();
    }
}
