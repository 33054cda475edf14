/// What a collector did, and what heaps held.
@NullMarked
package dev.jdyno.measure.gc;

import org.jspecify.annotations.NullMarked;
