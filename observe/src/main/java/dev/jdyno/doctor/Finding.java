package dev.jdyno.doctor;

import java.util.List;
import java.util.Optional;

/// The result of one check.
///
/// @param id the check's name, stable for scripts
/// @param says one line, with the values that decided the state
/// @param fix what to do; empty when there is nothing to fix
public record Finding(String id, State state, String says, Optional<String> fix) {
    /// The severity.
    public enum State {
        OK("ok"),
        /// The verbs work, with less data or with more scatter in their figures.
        NOTE("note"),
        /// A verb fails on this machine, or its figures would mislead at present.
        BAD("bad"),
        /// The machine provides no data for the check.
        UNSEEN("unseen");

        private final String key;

        State(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// True if no finding is bad.
    public static boolean isFine(List<Finding> found) {
        return found.stream().noneMatch(f -> f.state() == State.BAD);
    }

    static Finding ok(String id, String says) {
        return new Finding(id, State.OK, says, Optional.empty());
    }

    static Finding note(String id, String says, String fix) {
        return new Finding(id, State.NOTE, says, Optional.of(fix));
    }

    static Finding bad(String id, String says, String fix) {
        return new Finding(id, State.BAD, says, Optional.of(fix));
    }

    static Finding unseen(String id, String says) {
        return new Finding(id, State.UNSEEN, says, Optional.empty());
    }
}
