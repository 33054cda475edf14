/// Adds up the events of a log to its analysis, in bounded memory.
@NullMarked
package dev.jdyno.gclog.sums;

import org.jspecify.annotations.NullMarked;
