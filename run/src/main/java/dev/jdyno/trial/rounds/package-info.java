/// Closed-loop rounds: which of them count, which load comes next, and what they show together.
@NullMarked
package dev.jdyno.trial.rounds;

import org.jspecify.annotations.NullMarked;
