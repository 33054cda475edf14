package dev.jdyno.experiment;

/// One published experiment that can be run here. To add one: write the class, put it into {@link
/// Published}.
public interface Experiment {
    /// Its id in docs/domain.md.
    String id();

    String title();

    /// Whether what it does lasts a set time, which can be shortened; not where it counts.
    default boolean isTimed() {
        return true;
    }

    /// Starts what it needs in `bench.lab()`, loads it, compares.
    Comparison run(Bench bench) throws InterruptedException;
}
