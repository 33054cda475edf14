package dev.jdyno.measure.text;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Masks secrets in everything that jdyno writes and prints. A value is a secret by its name
/// ({@link #isSecretName}). The text between `://` and `@` in a URL is a secret, too.
///
/// Records that put texts of users and targets into a result call this class in their constructors
/// ({@link RunResult.About}, {@link TargetFacts}, {@link UserError}, …). So no writer can forget to
/// mask. Masking a masked text again changes nothing. A reference such as `${DB_PASSWORD}` contains
/// no secret and stays unchanged.
///
/// This class cannot detect a secret without a name (`mysql -psecret`, a token as a path segment).
public final class Secrets {
    /// Replaces a secret.
    public static final String MASK = "***";

    /// Options of `jdyno`, `curl` and similar tools whose value is a header, a body,
    /// `user:password` or a command line.
    private static final Set<String> HEADER_OPTIONS = Set.of("-H", "--header", "--proxy-header");

    private static final Set<String> BODY_OPTIONS =
            Set.of("-b", "--body", "--data", "--data-raw", "--data-binary", "--json-body");

    private static final Set<String> USER_OPTIONS = Set.of("-u", "--user", "--proxy-user");
    private static final Set<String> COMMAND_OPTIONS = Set.of("--launch");

    // A word that names its value or is an option: --name, -name, --name=value, -Dname=value,
    // name=value
    private static final Pattern NAMED_WORD =
            Pattern.compile("(-{0,2})([A-Za-z_][\\w.$%\\[\\]-]*)=(.*)", Pattern.DOTALL);
    private static final Pattern OPTION_WORD = Pattern.compile("--?([A-Za-z][\\w.-]*)");

    // a word that is itself an option, and so not the value of the option before it
    private static final Pattern NO_VALUE =
            Pattern.compile("--.*|-[A-Za-z]|-[DX][\\w.:+-]+(=.*)?", Pattern.DOTALL);

    // A header: Authorization: Bearer x
    private static final Pattern HEADER =
            Pattern.compile("([A-Za-z][A-Za-z0-9_-]*)(:\\s*)(.*)", Pattern.DOTALL);

    // A form: a=1&b=2
    private static final Pattern FORM =
            Pattern.compile("[^\\s=&{\\[\"<]+=[^&]*(?:&[^\\s=&]+=[^&]*)*", Pattern.DOTALL);

    /// A word of a shell's command line: plain and quoted pieces without a space between them. Its
    /// quantifiers are possessive: others need stack for each character of a class path.
    private static final Pattern SHELL_WORD =
            Pattern.compile("(?:\"(?:\\\\.|[^\"\\\\])*+\"|'[^']*'|\\\\.?+|[^\\s\"'\\\\]++)++|\\S");

    // the beginning of a JVM flag
    private static final Pattern FLAG =
            Pattern.compile(
                    "-(?:X|D|-|(?:ea|da|esa|dsa|server|client)(?::|$)|enable|disable|javaagent:"
                            + "|agentlib:|agentpath:|verbose|splash:|cp$|classpath$)");

    /// Options whose value is the place of a secret and not the secret itself.
    private static final Set<String> SELECTING_OPTIONS = Set.of("--take");

    // Values that contain no secret: true, ${TOKEN}, session=${COOKIE}; a=${B}
    private static final Pattern NO_SECRET =
            Pattern.compile(
                    "(?i)true|false|null|\\*{3}|(?:\\$\\{[^}]*\\})+"
                            + "|(?:[\\w.-]+=(?:\\$\\{[^}]*\\})+(?:;\\s*|$))+");

    /// A scheme and its credentials. The scheme is not masked: `Bearer ***`.
    private static final Pattern SCHEME =
            Pattern.compile("(?i)(bearer|basic|digest|negotiate|token|apikey)(\\s+)(\\S.*)");

    private Secrets() {}

    /// True if values with this name are secrets: a word of it is `password`, `secret`, `token`,
    /// `key`, `auth`, `cookie`, `credential` or similar.
    public static boolean isSecretName(String name) {
        return SecretName.matches(name);
    }

    /// The value of a header or field, masked if its name is that of a secret.
    public static String value(String name, String value) {
        return SecretName.matches(name) ? masked(value) : text(value);
    }

    /// The mask for the value of a secret. A value that cannot be a secret (`true`, `${TOKEN}`)
    /// stays unchanged.
    static String masked(String value) {
        String bare = value.strip();
        if (bare.isEmpty() || NO_SECRET.matcher(bare).matches()) {
            return value;
        }
        Matcher scheme = SCHEME.matcher(bare);
        return scheme.matches()
                ? scheme.group(1) + scheme.group(2) + masked(scheme.group(3))
                : MASK;
    }

    /// Masks any text: URLs, assignments, options, headers, JSON, XML and forms in it.
    public static String text(String text) {
        return SecretText.mask(text);
    }

    /// Masks the secrets in the body of a request.
    public static String body(String body) {
        if (!FORM.matcher(body).matches()) {
            return text(body);
        }
        List<String> fields = new ArrayList<>();
        for (String field : body.split("&", -1)) {
            int equals = field.indexOf('=');
            String name = field.substring(0, equals);
            fields.add(name + "=" + value(name, field.substring(equals + 1)));
        }
        return String.join("&", fields);
    }

    /// Masks a command line as the process received it. The words are joined by spaces; words with
    /// spaces are quoted.
    public static String commandLine(List<String> words) {
        return String.join(" ", words(words).stream().map(Secrets::quoted).toList());
    }

    /// Masks a command line as a user types it into a shell. Parts without a secret stay as they
    /// are, with their quotes and spaces.
    public static String commandLine(String typed) {
        List<String> raw = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        Matcher word = SHELL_WORD.matcher(typed);
        int at = 0;
        while (word.find()) {
            gaps.add(typed.substring(at, word.start()));
            raw.add(word.group());
            plain.add(unquoted(word.group()));
            at = word.end();
        }
        List<String> masked = words(plain);
        var line = new StringBuilder();
        for (int i = 0; i < raw.size(); i++) {
            line.append(gaps.get(i))
                    .append(
                            masked.get(i).equals(plain.get(i))
                                    ? raw.get(i)
                                    : quoted(masked.get(i)));
        }
        return line.append(typed.substring(at)).toString();
    }

    /// Masks the words of a command line or the flags of a JVM.
    public static List<String> words(List<String> words) {
        List<String> shown = new ArrayList<>();
        String before = "";
        for (String word : words) {
            shown.add(word(before, word));
            before = word;
        }
        return List.copyOf(shown);
    }

    /// Masks the flags of a JVM, which the JVM reports as one line. A value with spaces appears as
    /// several words. All words up to the next flag belong to the value.
    public static List<String> flags(List<String> flags) {
        List<String> shown = new ArrayList<>();
        boolean masks = false;
        for (String flag : flags) {
            String masked = word("", flag);
            if (masks && !FLAG.matcher(flag).lookingAt()) {
                continue;
            }
            masks = masked.endsWith(MASK) || (flag.startsWith("-D") && !masked.equals(flag));
            shown.add(masked);
        }
        return List.copyOf(shown);
    }

    private static String word(String before, String word) {
        if (SELECTING_OPTIONS.contains(before)) {
            return word;
        }
        Matcher option = OPTION_WORD.matcher(before);
        if (option.matches()
                && SecretName.matches(withoutD(before, option.group(1)))
                && !NO_VALUE.matcher(word).matches()) {
            return masked(word);
        }
        if (takesMore(before)) {
            return valueOf(before, word);
        }
        if (word.startsWith("-H") && word.length() > 2 && HEADER.matcher(word).find()) {
            return "-H" + header(word.substring(2));
        }
        if (word.startsWith("-b") && word.length() > 2) {
            return "-b" + body(word.substring(2));
        }
        if (word.startsWith("-XX:")) {
            return text(word);
        }
        Matcher named = NAMED_WORD.matcher(word);
        if (named.matches()) {
            String name = withoutD(named.group(1), named.group(2));
            String value = named.group(3);
            String front = named.group(1) + named.group(2);
            return front
                    + "="
                    + (SecretName.matches(name)
                            ? masked(value)
                            : value.contains("&") && named.group(1).isEmpty()
                                    ? body(word).substring(front.length() + 1)
                                    : valueOf(front, value));
        }
        return HEADER.matcher(word).matches() && !word.contains("://") ? header(word) : text(word);
    }

    private static boolean takesMore(String option) {
        return HEADER_OPTIONS.contains(option)
                || BODY_OPTIONS.contains(option)
                || USER_OPTIONS.contains(option)
                || COMMAND_OPTIONS.contains(option);
    }

    /// Masks the value of an option that takes a header, a body, a user or a command line.
    private static String valueOf(String option, String value) {
        if (HEADER_OPTIONS.contains(option)) {
            return header(value);
        }
        if (BODY_OPTIONS.contains(option)) {
            return body(value);
        }
        if (COMMAND_OPTIONS.contains(option)) {
            return commandLine(value);
        }
        int colon = value.indexOf(':');
        return USER_OPTIONS.contains(option) && colon > 0
                ? value.substring(0, colon + 1) + masked(value.substring(colon + 1))
                : text(value);
    }

    /// The name without the D of an option such as `-Dkey=x`, which is `key`.
    private static String withoutD(String dashes, String name) {
        return dashes.startsWith("-") && !dashes.startsWith("--") && name.startsWith("D")
                ? name.substring(1)
                : name;
    }

    /// Masks a header in the syntax of `-H`, `Name: value`. If the colon is missing, only the first
    /// word is shown, because the rest may be the secret value.
    public static String header(String line) {
        if (line.startsWith("@")) {
            return line;
        }
        Matcher m = HEADER.matcher(line);
        if (m.matches()) {
            return m.group(1) + m.group(2) + value(m.group(1), m.group(3));
        }
        int end = line.indexOf(' ');
        return end < 0 ? text(line) : line.substring(0, end) + " " + masked(line.substring(end));
    }

    private static String quoted(String word) {
        if (!word.isEmpty() && word.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"')) {
            return word;
        }
        return word.indexOf('\'') < 0
                ? "'" + word + "'"
                : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String unquoted(String word) {
        var plain = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < word.length()) {
                plain.append(word.charAt(++i));
            } else if (quote == 0 && (c == '"' || c == '\'') && word.indexOf(c, i + 1) > 0) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /// An authority without user and password: `127.0.0.1:8080`.
    public static String withoutUser(String authority) {
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /// Quick check: true if a text may contain a secret. It is false for most texts, which then
    /// need no search.
    static boolean mayHoldSecret(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean option = c == '-' && (i == 0 || " \t\n\"'".indexOf(text.charAt(i - 1)) >= 0);
            if (c == '=' || c == ':' || c == '@' || c == '<' || option) {
                return true;
            }
        }
        return text.toLowerCase(Locale.ROOT).contains("bearer ");
    }
}
