/// A simulator of generational heaps, and the sizing formulas F6–F15. It does not read logs.
@NullMarked
package dev.jdyno.heapmodel;

import org.jspecify.annotations.NullMarked;
