/// What the engine counts: latencies, failures, and what the client itself used.
@NullMarked
package dev.jdyno.load.statistics;

import org.jspecify.annotations.NullMarked;
