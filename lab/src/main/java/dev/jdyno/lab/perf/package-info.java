/// The thread-per-request service of the experiments on CPU, I/O, locks and parallel calls (E1, E3,
/// E8, E12, E13).
@NullMarked
package dev.jdyno.lab.perf;

import org.jspecify.annotations.NullMarked;
