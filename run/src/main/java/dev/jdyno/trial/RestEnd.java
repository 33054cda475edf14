package dev.jdyno.trial;

import dev.jdyno.observe.threads.CompilerLook;
import java.util.List;
import java.util.Optional;

/// Whether a rest has given all it can: the compilers have nothing left to do, or others than the
/// load keep them from it.
///
/// @param looks during the rest, two a second
record RestEnd(List<CompilerLook> looks) {
    /// Looks in a row that must agree.
    private static final int IN_A_ROW = 2;

    /// Looks without any progress after which more rest does not help: 5 s.
    private static final int PATIENCE = 10;

    /// Cores below which they have nothing to do.
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

    private static boolean isIdle(CompilerLook look) {
        return look.queued().orElse(0) == 0
                && look.used().orElse(0.0) + look.waited().orElse(0.0) < IDLE_CORES;
    }

    /// The queue is as long as it was some seconds ago, or longer.
    private boolean getNoFurther() {
        if (looks.size() <= PATIENCE) {
            return false;
        }
        Optional<Integer> then = looks.get(looks.size() - 1 - PATIENCE).queued();
        Optional<Integer> now = looks.getLast().queued();
        return now.isPresent() && then.isPresent() && now.get() > 0 && now.get() >= then.get();
    }
}
