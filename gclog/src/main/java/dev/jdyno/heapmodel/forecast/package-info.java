/// Forecasts: the run of a log on a heap of another size.
@NullMarked
package dev.jdyno.heapmodel.forecast;

import org.jspecify.annotations.NullMarked;
