package dev.jdyno.load;

/// No load: connections stay as they are.
final class IdlePacing implements Pacing {
    @Override
    public void free(User user, long now) {}

    @Override
    public void due(User user, long dueNanos, long now) {}

    @Override
    public void lost(User user, long now) {}

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
