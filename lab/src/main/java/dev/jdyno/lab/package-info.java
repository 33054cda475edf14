/// Sample services with known behaviour: the published experiments (E1–E26) and planted
/// bottlenecks. Each runs as a separate process and does not depend on the tool.
@NullMarked
package dev.jdyno.lab;

import org.jspecify.annotations.NullMarked;
