package dev.jdyno.heapmodel.simulation;

/// True while a group of objects is referenced. Each request has one, and there is one each for
/// objects that are always and never referenced.
public final class Life {
    private boolean alive;

    private Life(boolean alive) {
        this.alive = alive;
    }

    public static Life begin() {
        return new Life(true);
    }

    /// The life of objects that are garbage at once.
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
