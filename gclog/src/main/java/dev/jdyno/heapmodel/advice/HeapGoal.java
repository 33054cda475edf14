package dev.jdyno.heapmodel.advice;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import java.util.Optional;

/// The goal for the size of a heap.
///
/// @param pauseMs longest acceptable pause; empty for no such goal
/// @param gcShare maximum share of time in pauses
public record HeapGoal(Optional<Double> pauseMs, double gcShare) {
    /// Default of the maximum share. Jifa and JMC warn from 5–10 % on; 5 % reduces throughput only
    /// slightly.
    public static final double GC_SHARE = 0.05;

    public HeapGoal {
        if (!(gcShare > 0 && gcShare < 1)) {
            throw new IllegalArgumentException("a GC share is between 0 and 100 %: " + gcShare);
        }
        if (pauseMs.isPresent() && !(pauseMs.get() > 0)) {
            throw new IllegalArgumentException("a pause is longer than nothing: " + pauseMs.get());
        }
    }

    /// Reads `pause=50ms`, `gc=5%`, or both separated by a comma.
    ///
    /// @throws UserError of kind usage
    public static HeapGoal parse(String text) {
        Optional<Double> pause = Optional.empty();
        double share = GC_SHARE;
        try {
            for (String part : text.isBlank() ? new String[0] : text.split(",")) {
                String[] pair = part.trim().split("=", 2);
                if (pair.length == 2 && pair[0].equals("pause")) {
                    pause = Optional.of(Durations.parse(pair[1]).toNanos() / 1e6);
                } else if (pair.length == 2 && pair[0].equals("gc") && pair[1].endsWith("%")) {
                    share = Double.parseDouble(pair[1].substring(0, pair[1].length() - 1)) / 100;
                } else {
                    throw new IllegalArgumentException("'" + part + "' is no goal");
                }
            }
            return new HeapGoal(pause, share);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                            "--slo " + text + " is not understood",
                            String.valueOf(e.getMessage()),
                            "write --slo pause=50ms, --slo gc=5% or both with a comma")
                    .causedBy(e);
        }
    }
}
