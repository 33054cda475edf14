/// Metrics that a service exposes: read over HTTP, and the difference of two readings.
@NullMarked
package dev.jdyno.observe.metrics;

import org.jspecify.annotations.NullMarked;
