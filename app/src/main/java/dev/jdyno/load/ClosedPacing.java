package dev.jdyno.load;

/// The closed model: every connection is a user who sends again after a reply and a pause.
final class ClosedPacing implements Pacing {
    private final EventLoop loop;
    private final long thinkNanos;

    ClosedPacing(EventLoop loop, long thinkNanos) {
        this.loop = loop;
        this.thinkNanos = thinkNanos;
    }

    @Override
    public void free(User user, long now) {
        if (loop.isSurplus(user)) {
            user.close();
        } else if (thinkNanos > 0) {
            loop.delay(user, now + thinkNanos);
        } else if (loop.takeBudget()) {
            user.begin(now, now);
        }
    }

    @Override
    public void due(User user, long dueNanos, long now) {
        if (loop.isSurplus(user)) {
            user.close();
        } else if (loop.takeBudget()) {
            user.begin(dueNanos, now);
        }
    }

    @Override
    public void lost(User user, long now) {
        // the user thinks, or the budget is spent; the next request connects anew
    }

    @Override
    public void connectFailed() {}

    @Override
    public long nextArrival() {
        return Long.MAX_VALUE;
    }

    @Override
    public void fire(long now) {}

    @Override
    public void expire(long now, long timeoutNanos) {}

    @Override
    public int backlog() {
        return 0;
    }
}
