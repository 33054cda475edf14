/// Forecasts: the run that a log shows, on a heap of another size.
@NullMarked
package dev.jdyno.heapmodel.forecast;

import org.jspecify.annotations.NullMarked;
