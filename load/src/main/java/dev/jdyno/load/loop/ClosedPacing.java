package dev.jdyno.load.loop;

/// The closed model: every connection is a user who sends again after a reply and a pause. Users
/// who think start spread evenly over one pause: all at once they would come back all at once, for
/// as long as the service shares its cores among them.
final class ClosedPacing implements Pacing {
    private final EventLoop loop;
    private final long thinkNanos;
    private final int users;
    private int started;

    /// @param users connections of this loop
    ClosedPacing(EventLoop loop, long thinkNanos, int users) {
        this.loop = loop;
        this.thinkNanos = thinkNanos;
        this.users = users;
    }

    @Override
    public void free(User user, long now) {
        if (loop.isSurplus(user)) {
            user.close();
        } else if (thinkNanos > 0) {
            loop.waiting.add(now + pauseNanos(), user);
        } else if (loop.takeBudget()) {
            user.begin(now, now);
        }
    }

    private long pauseNanos() {
        if (started >= users) {
            return thinkNanos;
        }
        started++;
        return (long) ((double) thinkNanos * started / users);
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
