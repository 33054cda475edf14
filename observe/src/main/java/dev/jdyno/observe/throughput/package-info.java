/// Requests that nobody counts: by log lines or data segments.
@NullMarked
package dev.jdyno.observe.throughput;

import org.jspecify.annotations.NullMarked;
