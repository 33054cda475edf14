/// What was sent and how it failed: workload, client, goal.
@NullMarked
package dev.jdyno.measure.load;

import org.jspecify.annotations.NullMarked;
