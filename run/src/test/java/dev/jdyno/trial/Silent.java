package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import java.util.Optional;

/// Prints nothing.
public record Silent() implements TrialListener {
    @Override
    public void phase(String says) {
        // nobody reads it
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        // nobody reads it
    }

    @Override
    public void round(Round round) {
        // nobody reads it
    }

    @Override
    public void note(String says) {
        // nobody reads it
    }
}
