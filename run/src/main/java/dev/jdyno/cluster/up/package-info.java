/// Code for all ways to start agents: the user's client programs, the lines of an agent that is
/// ready, and the file that names the agents that may be running.
@NullMarked
package dev.jdyno.cluster.up;

import org.jspecify.annotations.NullMarked;
