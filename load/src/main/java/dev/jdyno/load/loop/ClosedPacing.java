package dev.jdyno.load.loop;

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
            loop.waiting.add(now + thinkNanos, user);
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

    /// The request that would have followed has failed with it.
    @Override
    public boolean connectFailed() {
        return loop.takeBudget();
    }
}
