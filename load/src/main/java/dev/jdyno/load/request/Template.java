package dev.jdyno.load.request;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A text with placeholders `${name}`. `$${` stands for the text `${`.
public final class Template {
    /// Literal texts and names in turn; the first and last are literal.
    private final List<String> parts = new ArrayList<>();

    public Template(String text) {
        int at = 0;
        int open;
        var literal = new StringBuilder();
        while ((open = text.indexOf("${", at)) >= 0) {
            if (open > at && text.charAt(open - 1) == '$') {
                literal.append(text, at, open - 1).append("${");
                at = open + 2;
                continue;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                break;
            }
            parts.add(literal.append(text, at, open).toString());
            literal.setLength(0);
            parts.add(text.substring(open + 2, close));
            at = close + 1;
        }
        parts.add(literal.append(text, at, text.length()).toString());
    }

    /// The names of the placeholders.
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        for (int i = 1; i < parts.size(); i += 2) {
            names.add(parts.get(i));
        }
        return names;
    }

    public boolean isConstant() {
        return parts.size() == 1;
    }

    /// Replaces the placeholders. A placeholder without a value stays as it is, so that it shows in
    /// the server's log.
    public String fill(Map<String, String> values) {
        if (isConstant()) {
            return parts.getFirst();
        }
        var text = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            text.append(i % 2 == 0 ? part : values.getOrDefault(part, "${" + part + "}"));
        }
        return text.toString();
    }
}
