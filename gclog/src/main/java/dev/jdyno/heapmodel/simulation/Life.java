package dev.jdyno.heapmodel.simulation;

/// The lifetime of a group of objects: true while they are referenced. Each request has its own
/// lifetime. Two more lifetimes are for objects that are always or never referenced.
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
