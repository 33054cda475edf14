/// Intervals, quantiles, trends and latencies.
@NullMarked
package dev.jdyno.measure.statistics;

import org.jspecify.annotations.NullMarked;
