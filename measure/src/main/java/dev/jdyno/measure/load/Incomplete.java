package dev.jdyno.measure.load;

/// A compressed file that was read to a place before its end: what its later lines say is missing.
///
/// @param file as it was given
/// @param behindLine the last line, from 1, of which something was read; 0 when there was none
public record Incomplete(String file, long behindLine, Kind kind) {
    /// Id of the warning about it.
    public static final String WARNING = "incomplete-input";

    /// What ended the reading.
    public enum Kind {
        CUT("cut", "the file ends inside its compressed data", "later lines are missing"),
        /// Where a checksum finds it, the broken place may lie before.
        CORRUPT(
                "corrupt",
                "its compressed data is corrupt",
                "lines before that may be wrong, later ones are missing"),
        BOMB("bomb", "it unpacks to far more than a log does", "later lines were not read");

        private final String key;
        private final String says;
        private final String follows;

        Kind(String key, String says, String follows) {
            this.key = key;
            this.says = says;
            this.follows = follows;
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
                + "; "
                + kind.follows;
    }
}
