package dev.jdyno.serve;

import dev.jdyno.measure.Round;
import dev.jdyno.trial.TrialListener;
import java.util.Optional;

/// Hears and says nothing.
final class Silent implements TrialListener {
    @Override
    public void phase(String says) {}

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

    @Override
    public void round(Round round) {}

    @Override
    public void note(String says) {}
}
