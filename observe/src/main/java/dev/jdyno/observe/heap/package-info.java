/// Retained objects of the heap, and their holders.
@NullMarked
package dev.jdyno.observe.heap;

import org.jspecify.annotations.NullMarked;
