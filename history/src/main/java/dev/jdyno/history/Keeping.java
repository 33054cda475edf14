package dev.jdyno.history;

import java.time.Instant;
import java.util.Optional;

/// A retention rule for stored results. Labelled and accepted results are always kept.
///
/// @param newest number of newest results kept per plan and verb; empty: no such rule
/// @param notBefore results from this time on are kept; empty: no such rule
public record Keeping(Optional<Integer> newest, Optional<Instant> notBefore) {}
