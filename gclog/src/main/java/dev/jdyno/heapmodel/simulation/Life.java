package dev.jdyno.heapmodel.simulation;

/// Whether something still references a group of objects: one per request, and one each for what is
/// always and what is never alive.
public final class Life {
    private boolean alive;

    private Life(boolean alive) {
        this.alive = alive;
    }

    public static Life begin() {
        return new Life(true);
    }

    /// Garbage from birth.
    public static Life over() {
        return new Life(false);
    }

    public boolean alive() {
        return alive;
    }

    public void end() {
        alive = false;
    }
}
