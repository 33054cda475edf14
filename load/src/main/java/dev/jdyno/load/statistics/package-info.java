/// The measurements of the engine: latencies, failures, and the client's own resource use.
@NullMarked
package dev.jdyno.load.statistics;

import org.jspecify.annotations.NullMarked;
