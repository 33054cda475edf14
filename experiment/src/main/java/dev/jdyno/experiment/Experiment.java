package dev.jdyno.experiment;

/// One published experiment that can be run here. To add one, write the class and add it to {@link
/// Published}.
public interface Experiment {
    /// The experiment's id in docs/domain.md.
    String id();

    String title();

    /// True if the experiment runs for a set time, which can be shortened; false if it counts
    /// requests.
    default boolean isTimed() {
        return true;
    }

    /// Starts the services that it needs in `bench.lab()`, loads them, and compares the results.
    Comparison run(Bench bench) throws InterruptedException;
}
