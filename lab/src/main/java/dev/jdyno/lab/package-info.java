/// Sample services with known behaviour: the published experiments (E1–E26) and planted
/// bottlenecks. Each is a process of its own and knows nothing of the tool.
@NullMarked
package dev.jdyno.lab;

import org.jspecify.annotations.NullMarked;
