/// Observes a JVM under the load that it has, and sends nothing to it.
@NullMarked
package dev.jdyno.trial.watch;

import org.jspecify.annotations.NullMarked;
