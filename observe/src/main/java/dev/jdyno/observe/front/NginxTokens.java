package dev.jdyno.observe.front;

import java.util.Optional;

/// The words, braces and semicolons of an nginx configuration, without its comments.
final class NginxTokens {
    /// The kind of the last token of {@link #next}.
    enum Kind {
        WORD,
        END,
        OPEN,
        CLOSE
    }

    private final String text;
    private int at;
    private Kind kind = Kind.END;

    NginxTokens(String text) {
        this.text = text;
    }

    Kind kind() {
        return kind;
    }

    /// The next token; empty at the end.
    Optional<String> next() {
        skipBlanks();
        if (at >= text.length()) {
            return Optional.empty();
        }
        char c = text.charAt(at);
        kind =
                switch (c) {
                    case ';' -> Kind.END;
                    case '{' -> Kind.OPEN;
                    case '}' -> Kind.CLOSE;
                    default -> Kind.WORD;
                };
        if (kind != Kind.WORD) {
            at++;
            return Optional.of(String.valueOf(c));
        }
        return Optional.of(c == '"' || c == '\'' ? quoted(c) : word());
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (!Character.isWhitespace(c)) {
                return;
            } else {
                at++;
            }
        }
    }

    private String quoted(char quote) {
        var word = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != quote) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            word.append(text.charAt(at++));
        }
        at++;
        return word.toString();
    }

    private String word() {
        var word = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            // ${name} is part of a word
            boolean variable = c == '{' && !word.isEmpty() && word.charAt(word.length() - 1) == '$';
            if (variable) {
                int end = text.indexOf('}', at);
                int behind = end < 0 ? text.length() : end + 1;
                word.append(text, at, behind);
                at = behind;
                continue;
            }
            if (Character.isWhitespace(c) || c == ';' || c == '{' || c == '}') {
                break;
            }
            if (c == '\\' && at + 1 < text.length()) {
                word.append(c);
                c = text.charAt(++at);
            }
            word.append(c);
            at++;
        }
        return word.toString();
    }

    /// Skips the block whose opening brace was the last token. The block may contain a program in
    /// another language.
    void skipBlock() {
        int open = 1;
        while (at < text.length() && open > 0) {
            char c = text.charAt(at++);
            open += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
    }
}
