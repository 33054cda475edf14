/// Agents on hosts reached by ssh: installed, started, and taken down again.
@NullMarked
package dev.jdyno.cluster.ssh;

import org.jspecify.annotations.NullMarked;
