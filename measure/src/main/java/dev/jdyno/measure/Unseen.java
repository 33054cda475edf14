package dev.jdyno.measure;

/// A source of evidence that gave nothing, or not all of it.
///
/// @param source which one, such as `thread dumps`
/// @param why what it did not give and the reason, as the rest of the sentence
public record Unseen(String source, String why) {
    public String text() {
        return source + ": " + why;
    }
}
