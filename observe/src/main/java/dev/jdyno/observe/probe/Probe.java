package dev.jdyno.observe.probe;

import java.util.Optional;

/// One source of evidence about the target.
public interface Probe {
    /// A shorter window gives no rates: one class loaded in a hundredth of a second would be a
    /// hundred a second. Who pressed Ctrl-C at its beginning has such a window.
    double SHORTEST_FOR_RATES_S = 0.25;

    /// What it is, what it needs, what it costs the target.
    Sheet sheet();

    /// Why it gives nothing, or not all, on this target; empty when it gives all it can.
    Optional<String> missing();

    /// What it gives in a lesser kind than it would elsewhere, with the reason, though it works.
    default Optional<String> less() {
        return Optional.empty();
    }

    /// @param name the source, as `target.means` lists it
    /// @param needs rights, flags, kernel features
    /// @param costs what it takes from the target or the machine
    record Sheet(String name, String needs, String costs) {}
}
