package dev.jdyno.recorded;

import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadTimes;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// One thread dump in the text form.
///
/// @param file that contains it
/// @param local its time by the clock and in the time zone of its host; empty if it has none, or if
///   `at` is known
/// @param at its time, independent of the zone
/// @param version of the JVM
/// @param names of all threads by the kernel's thread id, threads of the JVM included
record RecordedDump(
        String file,
        Optional<LocalDateTime> local,
        Optional<Instant> at,
        Optional<String> jvm,
        Optional<String> version,
        ThreadDump dump,
        ThreadTimes times,
        Map<Long, String> names) {
    RecordedDump {
        names = Map.copyOf(names);
    }

    /// @param zone of the host
    Optional<Instant> time(ZoneOffset zone) {
        return at.or(() -> local.map(l -> l.toInstant(zone)));
    }

    /// Start of the JVM, by the age of its oldest thread; empty if the dump has no time or no ages.
    ///
    /// @param zone of the host
    Optional<Instant> jvmStart(ZoneOffset zone) {
        OptionalDouble oldest =
                times.byTid().values().stream().mapToDouble(ThreadTimes.Times::elapsedS).max();
        return oldest.isEmpty()
                ? Optional.empty()
                : time(zone).map(t -> t.minusMillis((long) (1000 * oldest.getAsDouble())));
    }
}
