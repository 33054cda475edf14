/// Texts about the heap: the contents of a GC log, forecasts for other heaps, and advice on the
/// heap size.
@NullMarked
package dev.jdyno.report.words.memory;

import org.jspecify.annotations.NullMarked;
