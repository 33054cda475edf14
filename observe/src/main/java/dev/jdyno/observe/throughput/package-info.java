/// Requests without a counter: from log lines or data segments.
@NullMarked
package dev.jdyno.observe.throughput;

import org.jspecify.annotations.NullMarked;
