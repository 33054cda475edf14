/// The HTTP load engine: arrival schedules, connections, latency from the intended start, and the
/// suspicion against itself. Knows nothing of JVMs or verdicts.
@NullMarked
package dev.jdyno.load;

import org.jspecify.annotations.NullMarked;
