package dev.jdyno.history;

import dev.jdyno.measure.statistics.Interval;
import java.time.Instant;
import java.util.Optional;

/// One figure of one stored result.
///
/// @param id id of the result
/// @param commit hash of the commit; empty if unknown
public record Point(
        String id, Instant at, Optional<String> commit, double value, Optional<Interval> ci95) {}
