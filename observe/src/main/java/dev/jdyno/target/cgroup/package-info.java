/// Control groups that jdyno makes: a service runs in one under a CPU quota and a memory limit, as
/// in a container.
@NullMarked
package dev.jdyno.target.cgroup;

import org.jspecify.annotations.NullMarked;
