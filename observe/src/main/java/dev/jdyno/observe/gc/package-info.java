/// The collector: its counters and its log.
@NullMarked
package dev.jdyno.observe.gc;

import org.jspecify.annotations.NullMarked;
