package dev.jdyno.load.loop;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// How many requests may still be sent, over all loops.
public final class RequestBudget {
    private final boolean limited;
    private final AtomicLong left;

    public RequestBudget(Optional<Long> most) {
        this.limited = most.isPresent();
        this.left = new AtomicLong(most.orElse(0L));
    }

    /// Takes one; false when none is left.
    boolean take() {
        return !limited || left.getAndDecrement() > 0;
    }

    public boolean isSpent() {
        return limited && left.get() <= 0;
    }
}
