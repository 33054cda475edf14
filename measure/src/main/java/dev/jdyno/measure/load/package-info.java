/// The load and its failures: workload, client, goal.
@NullMarked
package dev.jdyno.measure.load;

import org.jspecify.annotations.NullMarked;
