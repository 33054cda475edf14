package dev.jdyno.measure.text;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Masks secrets in a text of unknown form: a message, a body, a line of a program's output. It
/// searches the text once for each form. A text that one search has masked is not changed by the
/// next search.
final class SecretText {
    private static final String NAME = "([A-Za-z_$][\\w.$%-]*+(?:\\[[^\\]\\s]*\\])?)";

    // User and password in a URL: http://user:password@host, also with an unencoded slash in the
    // password
    private static final Pattern USER_INFO =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*://)([^\\s/?#\"'<>]*|[^\\s/?#@:\"'<>]*:(?!\\d+[/?#])[^\\s\"'<>]*)@");

    // A URL with its query: https://host/path?query
    private static final Pattern URL =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\"'<>]*[?;#][^\\s\"'<>]*");

    // A parameter of a URL's path, query or fragment
    private static final Pattern PARAMETER = Pattern.compile("(?<=[?&;#])([^=&;#?/]+)=([^&;#?]*)");

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END|$)", Pattern.DOTALL);

    // An XML element: <password>x</password>
    private static final Pattern XML =
            Pattern.compile("<([A-Za-z_][\\w.:-]*)(\\s[^<>]*)?>([^<]+)(?=</)");

    // A part of a multipart body: name="password" CR LF CR LF x CR LF --boundary
    private static final Pattern MULTIPART =
            Pattern.compile(
                    "(name=\"([^\"]+)\"[^\\r\\n]*(?:\\r?\\n[^\\r\\n]+)*\\r?\\n\\r?\\n)(.*?)(?=\\r?\\n--|\\z)",
                    Pattern.DOTALL);

    // An option and its value: --api-key x
    private static final Pattern OPTION =
            Pattern.compile(
                    "(?<![\\w-])(--?)([A-Za-z][\\w.-]*)([ \\t]+)"
                            + "(?!--|-[A-Za-z]\\b|-[DX])(\"[^\"]*\"|'[^']*'|[^\\s\"']+)");

    // A bearer token without a name before it: Bearer eyJhbGciOi…
    private static final Pattern BEARER =
            Pattern.compile("(?i)\\b(bearer\\s+)(?=\\S*[\\d_=+/.])([\\w.~+/=-]{8,})");

    // The mask *** that a search for another form wrote
    private static final Pattern ALREADY = Pattern.compile("\\*{3}(?![\\w*])");

    // The opening quote of a quoted text
    private static final Pattern QUOTE = Pattern.compile("(?<![^\\s=(\\[{,:])[\"']");

    // An assignment: the name, the quote after it, the sign, and the characters between the sign
    // and the value
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?<![\\w$%])" + NAME + "((?:\\\\*[\"'])?)([ \\t]*[=:][ \\t]*+)");

    private SecretText() {}

    static String mask(String text) {
        if (!Secrets.mayHoldSecret(text)) {
            return text;
        }
        String shown = text;
        if (text.contains("://")) {
            shown = USER_INFO.matcher(shown).replaceAll(m -> quote(m.group(1) + user(m.group(2))));
            shown = URL.matcher(shown).replaceAll(m -> quote(parameters(m.group())));
        }
        if (text.contains("-----BEGIN")) {
            shown = PRIVATE_KEY.matcher(shown).replaceAll("$1" + quote(Secrets.MASK) + "$2");
        }
        if (text.indexOf('<') >= 0) {
            shown = XML.matcher(shown).replaceAll(m -> quote(element(m.group(), m)));
        }
        if (text.contains("name=\"")) {
            shown = MULTIPART.matcher(shown).replaceAll(m -> quote(part(m)));
        }
        shown = OPTION.matcher(shown).replaceAll(m -> quote(option(m)));
        shown = BEARER.matcher(shown).replaceAll(m -> quote(m.group(1) + Secrets.MASK));
        return assignments(shown);
    }

    private static String quote(String replacement) {
        return Matcher.quoteReplacement(replacement);
    }

    private static String user(String userInfo) {
        return (userInfo.matches("[:${}\\w]*\\$\\{[^}]*\\}") ? userInfo : Secrets.MASK) + "@";
    }

    private static String parameters(String url) {
        return PARAMETER
                .matcher(url)
                .replaceAll(m ->
                        quote(
                                m.group(1)
                                        + "="
                                        + (SecretName.matches(m.group(1))
                                                ? Secrets.masked(m.group(2))
                                                : m.group(2))));
    }

    private static String element(String whole, MatchResult m) {
        return SecretName.matches(m.group(1))
                ? whole.substring(0, whole.length() - m.group(3).length())
                        + Secrets.masked(m.group(3))
                : whole;
    }

    private static String part(MatchResult m) {
        return m.group(1)
                + (SecretName.matches(m.group(2)) ? Secrets.masked(m.group(3)) : m.group(3));
    }

    private static String option(MatchResult m) {
        String name = m.group(2);
        return SecretName.matches(name)
                ? m.group(1) + name + m.group(3) + inQuotes(m.group(4))
                : m.group();
    }

    private static String inQuotes(String value) {
        char first = value.charAt(0);
        boolean quotes = (first == '"' || first == '\'') && value.length() > 1;
        return quotes
                ? first + Secrets.masked(value.substring(1, value.length() - 1)) + first
                : Secrets.masked(value);
    }

    private static String assignments(String text) {
        Matcher m = ASSIGNMENT.matcher(text);
        var shown = new StringBuilder();
        int at = 0;
        while (m.find()) {
            if (m.start() < at || !SecretName.matches(name(text, m))) {
                continue;
            }
            int from = m.end();
            int end =
                    ALREADY.matcher(text).region(from, text.length()).lookingAt()
                            ? from
                            : end(text, m);
            if (end > from) {
                shown.append(text, at, from).append(shown(text.substring(from, end), m.group(2)));
                at = end;
            }
        }
        return at == 0 ? text : shown.append(text, at, text.length()).toString();
    }

    /// The name of an assigned value; in `-Dkey=x` it is `key`.
    private static String name(String text, Matcher m) {
        boolean property =
                m.group(1).startsWith("D")
                        && m.start() > 0
                        && text.charAt(m.start() - 1) == '-'
                        && (m.start() == 1 || text.charAt(m.start() - 2) != '-');
        return property ? m.group(1).substring(1) : m.group(1);
    }

    /// The mask with the quotes of the value. An unquoted JSON value gets quotes, because a bare
    /// mask is not valid JSON.
    private static String shown(String value, String nameQuote) {
        int quotes = openingQuote(value, 0);
        if (quotes > 0) {
            boolean closed =
                    value.length() >= 2 * quotes && value.endsWith(value.substring(0, quotes));
            String inner = value.substring(quotes, value.length() - (closed ? quotes : 0));
            return value.substring(0, quotes)
                    + Secrets.masked(inner)
                    + (closed ? value.substring(0, quotes) : "");
        }
        String masked = Secrets.masked(value);
        return masked.equals(Secrets.MASK) && !nameQuote.isEmpty()
                ? nameQuote + masked + nameQuote
                : masked;
    }

    /// Length of the opening quote at index `at`, including its backslashes (`\"`); 0 if there is
    /// no quote.
    private static int openingQuote(String text, int at) {
        int i = at;
        while (i < text.length() && text.charAt(i) == '\\') {
            i++;
        }
        return i < text.length() && (text.charAt(i) == '"' || text.charAt(i) == '\'')
                ? i + 1 - at
                : 0;
    }

    /// End index of the value after the sign; equal to its start index if there is no value.
    private static int end(String text, Matcher m) {
        int from = m.end();
        if (from == text.length()) {
            return from;
        }
        boolean quotedName = !m.group(2).isEmpty();
        int quotes = openingQuote(text, from);
        if (quotes > 0 && !closesOuter(text, m, quotes)) {
            return afterQuoted(text, from, quotes);
        }
        if (quotes > 0) {
            return from;
        }
        char first = text.charAt(from);
        if (quotedName && (first == '{' || first == '[')) {
            return afterBrackets(text, from);
        }
        if (quotedName) {
            return until(text, from, ",}]\r\n");
        }
        String sign = m.group(3);
        if (sign.contains("=")) {
            return afterWord(text, from);
        }
        if (sign.endsWith(":")) {
            // no value: a place such as Token.java:42, a time, or the scheme of a URL
            int end = afterWord(text, from);
            String value = text.substring(from, end);
            return value.matches("\\d+\\W*|//.*|:.*") || m.group(1).contains(".") ? from : end;
        }
        return m.group(1).contains(".") ? from : endOfHeader(text, m);
    }

    /// True if the quote after the sign closes the quote before the name, as in `'password='`.
    private static boolean closesOuter(String text, Matcher m, int quotes) {
        return m.group(2).isEmpty()
                && m.start() > 0
                && text.charAt(m.start() - 1) == text.charAt(m.end() + quotes - 1)
                && text.indexOf(text.charAt(m.start() - 1), m.end() + quotes) < 0;
    }

    /// A header's value extends to the end of its line, or of the quotes around it.
    private static int endOfHeader(String text, Matcher m) {
        int line = Math.max(text.lastIndexOf('\n', m.start()), text.lastIndexOf('\r', m.start()));
        Matcher quote = QUOTE.matcher(text);
        int at = line + 1;
        while (quote.find(at) && quote.start() < m.start()) {
            int closed = text.indexOf(quote.group().charAt(0), quote.end());
            if (closed < 0 || closed >= m.end()) {
                return until(text, m.end(), quote.group() + "\r\n");
            }
            at = closed + 1;
        }
        return until(text, m.end(), "\r\n");
    }

    private static int until(String text, int from, String ends) {
        int i = from;
        while (i < text.length() && ends.indexOf(text.charAt(i)) < 0) {
            i++;
        }
        return i;
    }

    /// The end of a word, or of two words when the first is a scheme: `Bearer x`.
    private static int afterWord(String text, int from) {
        int end = until(text, from, " \t\r\n&\"'<>");
        boolean scheme =
                text.substring(from, end).matches("(?i)bearer|basic|digest|negotiate")
                        && end < text.length()
                        && text.charAt(end) == ' ';
        return scheme ? until(text, end + 1, " \t\r\n&\"'<>") : end;
    }

    /// Index after the closing quote, which has as many backslashes as the opening one.
    private static int afterQuoted(String text, int from, int quotes) {
        String quote = text.substring(from, from + quotes);
        int i = from + quotes;
        while (i < text.length()) {
            if (text.startsWith(quote, i) && !escaped(text, i)) {
                return i + quotes;
            }
            i++;
        }
        return text.length();
    }

    /// True if an odd number of backslashes precedes the quote, besides its own.
    private static boolean escaped(String text, int at) {
        int count = 0;
        for (int i = at - 1; i >= 0 && text.charAt(i) == '\\'; i--) {
            count++;
        }
        return count % 2 == 1;
    }

    private static int afterBrackets(String text, int from) {
        int depth = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            int quotes = openingQuote(text, i);
            if (quotes > 0 && (c == '"' || c == '\\')) {
                i = afterQuoted(text, i, quotes) - 1;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if ((c == '}' || c == ']') && --depth == 0) {
                return i + 1;
            }
        }
        return text.length();
    }
}
