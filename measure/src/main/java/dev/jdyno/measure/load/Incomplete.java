package dev.jdyno.measure.load;

/// A compressed file that could be read only in part: the content of its later lines is missing.
///
/// @param file as the user gave it
/// @param behindLine the last line, from 1, of which something was read; 0 when there was none
/// @param kind why the reading ended
public record Incomplete(String file, long behindLine, Kind kind) {
    /// Id of the warning about it.
    public static final String WARNING = "incomplete-input";

    /// Why the reading ended.
    public enum Kind {
        CUT("cut", "the file ends inside its compressed data", "later lines are missing"),
        /// If a checksum detects it, the corrupt data may be at an earlier position.
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

        /// The key in JSON.
        public String key() {
            return key;
        }

        public String says() {
            return says;
        }
    }

    /// The whole sentence.
    public String says() {
        return file
                + ": "
                + kind.says()
                + (behindLine == 0 ? ", before its first line" : " after line " + behindLine)
                + "; "
                + kind.follows;
    }
}
