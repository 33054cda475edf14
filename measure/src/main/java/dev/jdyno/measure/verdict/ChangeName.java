package dev.jdyno.measure.verdict;

import dev.jdyno.measure.thread.Cause;
import java.util.stream.Stream;

/// The name of a recommendation's change, without the values that it sets: two recommendations with
/// the same name are the same change. Only this file writes and reads its {@link #id}.
///
/// | name | id |
/// | --- | --- |
/// | {@link KnownChange} | the constant's name in lower case, words joined by hyphens: `lock-shorter` |
/// | {@link OfLogging} | `logging-` and the part of the logging configuration: `logging-flush` |
/// | {@link OfTime} | `rt-` and the key of the cause: `rt-downstream` |
/// | {@link Other} | as its entry in `advice.txt` has it: `pattern-keep` |
public sealed interface ChangeName
        permits KnownChange, ChangeName.OfLogging, ChangeName.OfTime, ChangeName.Other {
    /// The text form, as in `result.json`.
    String id();

    /// The kind of this change, which decides how its prediction is made.
    default ChangeKind kind() {
        return ChangeKind.OTHER;
    }

    /// An edit of one part of a logging configuration.
    ///
    /// @param part as in {@link dev.jdyno.measure.thread.LoggingCost}
    record OfLogging(String part) implements ChangeName {
        private static final String PREFIX = "logging-";

        @Override
        public String id() {
            return PREFIX + part;
        }

        @Override
        public ChangeKind kind() {
            return ChangeKind.LESS_LOGGING;
        }
    }

    /// A change that shortens the time of a single request due to this cause.
    record OfTime(Cause cause) implements ChangeName {
        private static final String PREFIX = "rt-";

        @Override
        public String id() {
            return PREFIX + cause.key();
        }
    }

    /// An edit that only its entry in `advice.txt` describes, or a change from a later version.
    record Other(String id) implements ChangeName {}

    /// The name with this id. Every text is the id of exactly one name.
    static ChangeName of(String id) {
        return Stream.concat(
                        Stream.<ChangeName>of(KnownChange.values()),
                        Stream.of(Cause.values()).map(OfTime::new))
                .filter(n -> n.id().equals(id))
                .findFirst()
                .orElseGet(() ->
                        id.startsWith(OfLogging.PREFIX)
                                ? new OfLogging(id.substring(OfLogging.PREFIX.length()))
                                : new Other(id));
    }
}
