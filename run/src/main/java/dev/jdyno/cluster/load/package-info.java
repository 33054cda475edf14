/// Load from several hosts: the agent's part ({@link dev.jdyno.cluster.load.LoadDuty}), and the
/// run's part, which splits the load and adds up the results ({@link
/// dev.jdyno.cluster.load.Fleet}).
@NullMarked
package dev.jdyno.cluster.load;

import org.jspecify.annotations.NullMarked;
