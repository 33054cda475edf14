package dev.jdyno.measure.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Decides by the name of a value whether the value is a secret: `apiKey`, `X-Auth-Token`,
/// `DB_PASSWORD`, `keyStorePassword`.
///
/// A name is split into words at separators and at camel case, and each word is compared as a
/// whole: `monkey`, `keyspace` and `Keep-Alive` are harmless. Four long stems (`password`,
/// `passwd`, `secret`, `credential`) count anywhere in a word, because no harmless word contains
/// them.
final class SecretName {
    private static final Pattern SEPARATOR = Pattern.compile("[^A-Za-z0-9]+");
    private static final Pattern CAMEL =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern END_DIGITS = Pattern.compile("(?<=[a-z])\\d+$");

    private static final Pattern STEM =
            Pattern.compile("password|passwd|passphrase|secret(?!ar)|credential");

    private static final Set<String> WORDS =
            Set.of(
                    "pass",
                    "pwd",
                    "passcode",
                    "token",
                    "tokens",
                    "key",
                    "keys",
                    "auth",
                    "authorization",
                    "authentication",
                    "authenticate",
                    "cookie",
                    "cookies",
                    "cred",
                    "creds",
                    "jwt",
                    "bearer",
                    "signature",
                    "sig",
                    "jsessionid",
                    "sessionid",
                    "phpsessid");

    /// Compounds without a separator: `authtoken`, `userpass`, `PGPASS`, `basicauth`.
    private static final Pattern COMPOUND =
            Pattern.compile(
                    "\\w+(?:token|tokens|cookie|cookies|auth|pwd|sessionid)"
                            + "|(?!by|com|encom|tres|sur|over)\\w+pass"
                            + "|(?:api|access|secret|private|auth|sign|signing|encryption|crypto|master"
                            + "|license|shared|ssh|account|client|storage|session|service|hmac|aes|rsa)"
                            + "keys?");

    /// If the last word is one of these, the value only describes a secret: `password-file`,
    /// `keyStore`, `token.url`, `auth.enabled`, `key.serializer`.
    private static final Set<String> DESCRIBING =
            Set.of(
                    "file",
                    "path",
                    "location",
                    "dir",
                    "directory",
                    "url",
                    "uri",
                    "endpoint",
                    "host",
                    "port",
                    "type",
                    "method",
                    "scheme",
                    "enabled",
                    "disabled",
                    "required",
                    "provider",
                    "algorithm",
                    "length",
                    "size",
                    "count",
                    "timeout",
                    "ttl",
                    "interval",
                    "store",
                    "serializer",
                    "deserializer",
                    "encoder",
                    "class",
                    "space",
                    "alive",
                    "through");

    /// Words before `key` that make it the key of data or a table, which is not a secret.
    private static final Set<String> KINDS_OF_HARMLESS_KEYS =
            Set.of(
                    "primary",
                    "foreign",
                    "sort",
                    "partition",
                    "routing",
                    "cache",
                    "row",
                    "group",
                    "index",
                    "lookup",
                    "unique",
                    "message",
                    "shard",
                    "public");

    /// Words before `tokens` that make the value a number: `max_tokens`.
    private static final Set<String> COUNTING = Set.of("max", "min", "num", "count", "total");

    private SecretName() {}

    static boolean matches(String name) {
        List<String> words = words(name);
        if (words.isEmpty() || DESCRIBING.contains(words.getLast())) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            String before = i == 0 ? "" : words.get(i - 1);
            if (isSecret(words.get(i), before)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSecret(String word, String before) {
        if (STEM.matcher(word).find()) {
            return true;
        }
        return switch (word) {
            case "key", "keys" -> !KINDS_OF_HARMLESS_KEYS.contains(before);
            case "tokens" -> !COUNTING.contains(before);
            case "id" -> before.equals("session");
            default -> WORDS.contains(word) || COMPOUND.matcher(word).matches();
        };
    }

    private static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        for (String part : SEPARATOR.split(name)) {
            for (String word : CAMEL.split(part)) {
                if (!word.isEmpty()) {
                    words.add(END_DIGITS.matcher(word.toLowerCase(Locale.ROOT)).replaceFirst(""));
                }
            }
        }
        return words;
    }
}
