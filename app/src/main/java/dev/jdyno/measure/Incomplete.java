package dev.jdyno.measure;

/// A compressed file that was read to a place before its end: what its later lines say is missing.
///
/// @param file as it was given
/// @param behindLine the last line, from 1, of which something was read; 0 when there was none
public record Incomplete(String file, long behindLine, Kind kind) {
    /// Id of the warning about it.
    public static final String WARNING = "incomplete-input";

    /// What ended the reading.
    public enum Kind {
        CUT("cut", "the file ends inside its compressed data"),
        CORRUPT("corrupt", "its compressed data is corrupt"),
        BOMB("bomb", "it unpacks to far more than a log does");

        private final String key;
        private final String says;

        Kind(String key, String says) {
            this.key = key;
            this.says = says;
        }

        /// In JSON.
        public String key() {
            return key;
        }

        public String says() {
            return says;
        }
    }

    /// The whole in words.
    public String says() {
        return file
                + ": "
                + kind.says()
                + (behindLine == 0 ? ", before its first line" : " after line " + behindLine)
                + "; later lines are missing";
    }
}
