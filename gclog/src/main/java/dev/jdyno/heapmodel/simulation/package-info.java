/// The simulated heaps of Serial, Parallel and G1, and the workload that fills them (F6–F15).
@NullMarked
package dev.jdyno.heapmodel.simulation;

import org.jspecify.annotations.NullMarked;
