/// A GC log as the heap model sees it: what it observed, and what a log lacks that was switched on
/// late.
@NullMarked
package dev.jdyno.sizing;

import org.jspecify.annotations.NullMarked;
