package dev.jdyno.recorded;

import dev.jdyno.measure.text.Texts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Selects the thread dumps of one JVM. A folder may hold the dumps of a whole cluster, and means
/// over threads of two services have no meaning.
final class OneJvm {
    /// Maximum difference between the start times of the JVM that two of its dumps show. Times of
    /// dumps have a resolution of one second. The rest allows for a clock that was adjusted
    /// meanwhile.
    private static final Duration APART = Duration.ofSeconds(30);

    private OneJvm() {}

    /// The dumps of the JVM with the most dumps.
    ///
    /// @param dumps thread dumps of all JVMs in the order of time
    /// @param zone of their host
    /// @param missing receives a line about dumps of other JVMs
    static List<RecordedDump> of(List<RecordedDump> dumps, ZoneOffset zone, List<String> missing) {
        List<List<RecordedDump>> jvms = new ArrayList<>();
        for (RecordedDump dump : dumps) {
            jvms.stream()
                    .filter(j -> isSame(j.getFirst(), dump, zone))
                    .findFirst()
                    .orElseGet(() -> {
                        List<RecordedDump> another = new ArrayList<>();
                        jvms.add(another);
                        return another;
                    })
                    .add(dump);
        }
        List<RecordedDump> max =
                jvms.stream()
                        .max(Comparator.comparingInt(List::size))
                        .map(List::copyOf)
                        .orElse(List.of());
        int others = dumps.size() - max.size();
        if (others > 0) {
            missing.add(
                    Texts.say(
                            "thread dumps: %d are of other JVMs (another version or start) and are"
                                    + " not used; give the files of one JVM at a time",
                            others));
        }
        return max;
    }

    private static boolean isSame(RecordedDump a, RecordedDump b, ZoneOffset zone) {
        boolean otherVersion =
                a.version().isPresent()
                        && b.version().isPresent()
                        && !a.version().equals(b.version());
        return !otherVersion && isSame(a.jvmStart(zone), b.jvmStart(zone));
    }

    /// True if both can be the start of one JVM. An unknown start matches every start.
    static boolean isSame(Optional<Instant> start, Optional<Instant> other) {
        return start.isEmpty()
                || other.isEmpty()
                || Duration.between(start.get(), other.get()).abs().compareTo(APART) <= 0;
    }
}
