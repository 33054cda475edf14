package dev.jdyno.load.loop;

/// Items of one event loop that wait for a point in time: users who pause or whose server refused,
/// and wires that read slowly.
final class Waiting {
    private final DueQueue<User> users = new DueQueue<>();
    private final DueQueue<SlowWire> wires = new DueQueue<>();

    /// Makes a user wait.
    void add(long due, User user) {
        user.waiting = true;
        users.add(due, user);
    }

    /// Schedules the next read of a slow wire.
    void add(long due, SlowWire wire) {
        wires.add(due, wire);
    }

    /// Time at which the first item is due; {@link Long#MAX_VALUE} if none waits.
    long first() {
        return Math.min(users.first(), wires.first());
    }

    void runDue(long now) {
        while (users.first() <= now) {
            long due = users.first();
            User user = users.poll();
            if (user != null) {
                user.due(due, now);
            }
        }
        while (wires.first() <= now) {
            SlowWire wire = wires.poll();
            if (wire != null) {
                wire.wake();
            }
        }
    }
}
