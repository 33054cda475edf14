/// Prepares a GC log for the heap model: reads what it observed, and adds the start-up lines that a
/// log lacks if it was switched on late.
@NullMarked
package dev.jdyno.sizing;

import org.jspecify.annotations.NullMarked;
