package dev.jdyno.doctor;

import java.util.List;
import java.util.Optional;

/// What one check found.
///
/// @param id the check's name, stable for scripts
/// @param says one line, with the figures that it was judged by
/// @param fix what to do; empty when there is nothing to fix
public record Finding(String id, State state, String says, Optional<String> fix) {
    /// How bad it is.
    public enum State {
        OK("ok"),
        /// It works, with less to see or more scatter.
        NOTE("note"),
        /// A verb fails here, or its figures would mislead now.
        BAD("bad"),
        /// This machine does not tell.
        UNSEEN("unseen");

        private final String key;

        State(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// True if nothing found is bad.
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
