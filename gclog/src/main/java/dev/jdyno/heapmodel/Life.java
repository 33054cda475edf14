package dev.jdyno.heapmodel;

/// Whether something still references a group of objects: one per request, and one each for what is
/// always and what is never alive.
final class Life {
    private boolean alive;

    private Life(boolean alive) {
        this.alive = alive;
    }

    static Life begin() {
        return new Life(true);
    }

    /// Garbage from birth.
    static Life over() {
        return new Life(false);
    }

    boolean alive() {
        return alive;
    }

    void end() {
        alive = false;
    }
}
