package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import java.util.Optional;

/// Prints nothing.
public record Silent() implements TrialListener {
    @Override
    public void phase(String says) {
        // prints nothing
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        // prints nothing
    }

    @Override
    public void round(Round round) {
        // prints nothing
    }

    @Override
    public void note(String says) {
        // prints nothing
    }
}
