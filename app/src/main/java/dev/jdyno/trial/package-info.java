/// Runs rounds: warm-up, the ladder of loads, evidence windows, raw evidence files. Interprets
/// nothing.
@NullMarked
package dev.jdyno.trial;

import org.jspecify.annotations.NullMarked;
