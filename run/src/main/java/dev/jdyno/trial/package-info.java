/// Runs rounds: warm-up, the ladder of loads, diagnostic windows, raw evidence files. Interprets
/// nothing.
@NullMarked
package dev.jdyno.trial;

import org.jspecify.annotations.NullMarked;
