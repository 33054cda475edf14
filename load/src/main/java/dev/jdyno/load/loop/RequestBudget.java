package dev.jdyno.load.loop;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Number of requests that all loops together may still send.
public final class RequestBudget {
    private final boolean limited;
    private final AtomicLong left;

    public RequestBudget(Optional<Long> max) {
        this.limited = max.isPresent();
        this.left = new AtomicLong(max.orElse(0L));
    }

    /// Takes one request from the budget. Returns false if none is left.
    boolean take() {
        return !limited || left.getAndDecrement() > 0;
    }

    public boolean isSpent() {
        return limited && left.get() <= 0;
    }
}
