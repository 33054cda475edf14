/// The HTTP load engine: arrival schedules, connections, latency from the intended start, and the
/// checks whether the client itself was the limit. It knows nothing of JVMs or verdicts.
@NullMarked
package dev.jdyno.load;

import org.jspecify.annotations.NullMarked;
