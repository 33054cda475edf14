/// Closed-loop rounds: the choice of the rounds for the result, the choice of the next load, and
/// conclusions from all rounds.
@NullMarked
package dev.jdyno.trial.rounds;

import org.jspecify.annotations.NullMarked;
