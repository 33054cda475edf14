/// A JVM under the load that it has: it is watched, and nothing is sent to it.
@NullMarked
package dev.jdyno.trial.watch;

import org.jspecify.annotations.NullMarked;
