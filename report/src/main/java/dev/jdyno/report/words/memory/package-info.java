/// The words of a heap: what a GC log shows, what other heaps would give, and the advice on its
/// size.
@NullMarked
package dev.jdyno.report.words.memory;

import org.jspecify.annotations.NullMarked;
