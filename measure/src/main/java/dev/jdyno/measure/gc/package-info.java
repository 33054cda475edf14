/// Activity of collectors, and contents of heaps.
@NullMarked
package dev.jdyno.measure.gc;

import org.jspecify.annotations.NullMarked;
