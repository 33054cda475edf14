package dev.jdyno.measure;

/// A source of evidence that gave no data, or not all of it.
///
/// @param source name of the source, such as `thread dumps`
/// @param why what is missing and the reason, as the rest of the sentence
public record Unseen(String source, String why) {
    /// The source of times of methods that the user names.
    public static final String STAGES = "stages";

    private static final String BETWEEN = ": ";

    /// The text as it is stored and shown.
    public String text() {
        return source + BETWEEN + why;
    }

    /// Reads a stored text.
    public static Unseen stored(String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? new Unseen(text, "")
                : new Unseen(text.substring(0, end), text.substring(end + BETWEEN.length()));
    }
}
