/// What a search under response-time goals found, and what it cost.
@NullMarked
package dev.jdyno.trial.goal;

import org.jspecify.annotations.NullMarked;
