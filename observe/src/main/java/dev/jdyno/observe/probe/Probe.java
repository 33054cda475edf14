package dev.jdyno.observe.probe;

import java.util.Optional;

/// One source of evidence about the target.
public interface Probe {
    /// Minimum length of a window for rates, in seconds. In a shorter window, one class loaded in a
    /// hundredth of a second would be a hundred per second. A window is that short if Ctrl-C ends
    /// it at its beginning.
    double SHORTEST_FOR_RATES_S = 0.25;

    /// The probe's name, its requirements, and its cost for the target.
    Sheet sheet();

    /// The reason why the probe gives no data, or only part of its data, on this target; empty if
    /// it gives all data.
    Optional<String> missing();

    /// The data that the probe provides on this target only in a less exact form, with the reason;
    /// empty if there is no such data.
    default Optional<String> less() {
        return Optional.empty();
    }

    /// @param name the source, as `target.means` lists it
    /// @param needs rights, flags, kernel features
    /// @param costs cost for the target or the machine
    record Sheet(String name, String needs, String costs) {}
}
