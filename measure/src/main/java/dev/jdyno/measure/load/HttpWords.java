package dev.jdyno.measure.load;

import java.util.regex.Pattern;

/// Checks texts for the head of an HTTP request. A line feed in such a text would allow its author
/// to send lines of any text protocol to the server.
public final class HttpWords {
    private static final Pattern METHOD = Pattern.compile("[A-Za-z]+");

    /// A token of RFC 9110 §5.6.2.
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~\\w-]+");

    private HttpWords() {}

    /// @throws IllegalArgumentException when the text contains other characters than letters
    public static String method(String text) {
        if (!METHOD.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + shown(text) + "' is no HTTP method");
        }
        return text;
    }

    /// @throws IllegalArgumentException when the text is not a token
    public static String headerName(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + shown(text) + "' is no name of a header");
        }
        return text;
    }

    /// @throws IllegalArgumentException when the text has control characters other than the tab
    ///   (RFC 9110 §5.5)
    public static String headerValue(String text) {
        if (text.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
            throw new IllegalArgumentException("the value of a header has a control character");
        }
        return text;
    }

    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
