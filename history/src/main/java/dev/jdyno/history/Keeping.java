package dev.jdyno.history;

import java.time.Instant;
import java.util.Optional;

/// Which stored results may be deleted. Labelled and accepted ones never are.
///
/// @param newest so many of each plan and verb are kept; empty: as many as there are
/// @param notBefore results from then on are kept
public record Keeping(Optional<Integer> newest, Optional<Instant> notBefore) {}
