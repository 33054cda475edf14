package dev.jdyno.load.loop;

/// The closed model: each user sends its next request after the reply and a pause. If users pause,
/// their starts are spread evenly over one pause. If all users started together, they would stay in
/// step, because the service shares its cores among their requests.
final class ClosedPacing implements Pacing {
    private final EventLoop loop;
    private final long thinkNanos;
    private final int users;
    private int started;

    /// @param users number of users of this loop
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

    /// The connection failure also fails the next request, so it takes a request from the budget.
    @Override
    public boolean connectFailed() {
        return loop.takeBudget();
    }
}
