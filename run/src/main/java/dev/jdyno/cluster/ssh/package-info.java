/// Agents on hosts that are reached by ssh: brought there, started, and taken down again.
@NullMarked
package dev.jdyno.cluster.ssh;

import org.jspecify.annotations.NullMarked;
