package dev.jdyno.load.loop;

/// What waits for a point in time in one event loop: users who think or whose server refused, wires
/// that read slowly.
final class Waiting {
    private final DueQueue<User> users = new DueQueue<>();
    private final DueQueue<SlowWire> wires = new DueQueue<>();

    /// Lets a user wait.
    void add(long due, User user) {
        user.waiting = true;
        users.add(due, user);
    }

    /// Lets a slow wire read again at that time.
    void add(long due, SlowWire wire) {
        wires.add(due, wire);
    }

    /// When the first is due; {@link Long#MAX_VALUE} when none waits.
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
