package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;

/// What a recommendation should give at one load. By Little's law `qps` × `rtMs` is what is in
/// flight.
///
/// @param qps requests per second; a bound where {@link Recommendation#atMost}
/// @param rtMs mean response time
/// @param atConcurrency requests in flight: those of the round with the most throughput; more where
///   the recommendation alone gains nothing at that load
/// @param ci95 of `qps`, from the measurement that the prediction is scaled from; the model's own
///   error comes on top
public record Expected(double qps, double rtMs, int atConcurrency, Optional<Interval> ci95) {}
