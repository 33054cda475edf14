/// Bottlenecks that threads wait for: locks, pools, other services, limits, logging, disks.
@NullMarked
package dev.jdyno.diagnose.wait;

import org.jspecify.annotations.NullMarked;
