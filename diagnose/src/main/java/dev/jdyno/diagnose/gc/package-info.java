/// Bottlenecks of memory: the collector, leaks, stops of the JVM.
@NullMarked
package dev.jdyno.diagnose.gc;

import org.jspecify.annotations.NullMarked;
