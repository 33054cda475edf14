/// Closed-loop rounds: which of them count, which load comes next, what they say together.
@NullMarked
package dev.jdyno.trial.rounds;

import org.jspecify.annotations.NullMarked;
