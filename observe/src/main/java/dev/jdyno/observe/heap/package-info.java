/// What stays alive on the heap, and who holds it.
@NullMarked
package dev.jdyno.observe.heap;

import org.jspecify.annotations.NullMarked;
