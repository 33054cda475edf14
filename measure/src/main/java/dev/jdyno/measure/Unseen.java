package dev.jdyno.measure;

/// A source of evidence that gave no data, or not all of it.
///
/// @param source name of the source, such as `thread dumps`
/// @param why what is missing and the reason, as the rest of the sentence
/// @param fix what makes it known, as the rest of the sentence; empty if nothing is known to help
public record Unseen(String source, String why, String fix) {
    /// The source of times of methods that the user names.
    public static final String STAGES = "stages";

    private static final String BETWEEN = ": ";

    /// A source that nothing is known to help.
    public Unseen(String source, String why) {
        this(source, why, "");
    }

    /// The text as it is stored and shown.
    public String text() {
        return withoutFix() + (fix.isEmpty() ? "" : "; " + fix);
    }

    /// The text without what makes it known.
    public String withoutFix() {
        return source + BETWEEN + why;
    }

    /// Reads a stored text. What makes it known is then part of the reason.
    public static Unseen stored(String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? new Unseen(text, "")
                : new Unseen(text.substring(0, end), text.substring(end + BETWEEN.length()));
    }
}
