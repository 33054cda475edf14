package dev.jdyno.measure;

/// A source of evidence that gave nothing, or not all of it.
///
/// @param source which one, such as `thread dumps`
/// @param why what it did not give and the reason, as the rest of the sentence
public record Unseen(String source, String why) {
    /// The source of times of methods that the user names.
    public static final String STAGES = "stages";

    private static final String BETWEEN = ": ";

    /// As it is stored and shown.
    public String text() {
        return source + BETWEEN + why;
    }

    /// What is stored, read.
    public static Unseen stored(String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? new Unseen(text, "")
                : new Unseen(text.substring(0, end), text.substring(end + BETWEEN.length()));
    }
}
