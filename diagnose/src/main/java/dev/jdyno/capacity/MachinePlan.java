package dev.jdyno.capacity;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The number of machines of the measured size for a rate, at several headrooms.
///
/// @param maxQpsPerMachine X_max of one machine
/// @param rows one row for each headroom, the smallest headroom first
public record MachinePlan(double ratePerS, double maxQpsPerMachine, List<Row> rows) {
    /// Shares of X_max to plan with. At 50 %, the other machines can carry the load if half of them
    /// fail. Above 80 %, the queue grows faster than the load.
    private static final double[] UTILISATIONS = {0.8, 0.7, 0.6, 0.5};

    /// @param headroomPct the share of X_max that is left as a reserve
    /// @param machines number of machines of this size, with the load spread evenly
    /// @param open response time at this load per machine, by the open model
    public record Row(double headroomPct, int machines, Optional<OpenQueue.OpenPoint> open) {}

    public MachinePlan {
        rows = List.copyOf(rows);
    }

    public static MachinePlan of(ServiceModel model, double ratePerS) {
        if (!(ratePerS > 0)) {
            throw new IllegalArgumentException("rate must be positive, not " + ratePerS);
        }
        double max = model.predict().qps();
        var open = OpenQueue.of(model.path());
        return new MachinePlan(
                ratePerS,
                max,
                Arrays.stream(UTILISATIONS)
                        .mapToObj(u -> {
                            double machines = Math.ceil(ratePerS / (max * u) - 1e-9);
                            return new Row(
                                    100 * (1 - u),
                                    (int) Math.max(1, machines),
                                    // the open model cannot express a limit of threads
                                    model.places().isPresent()
                                            ? Optional.empty()
                                            : open.at(ratePerS / Math.max(1, machines)));
                        })
                        .toList());
    }
}
