package dev.jdyno.plan;

import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.BoundedMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// The conditions that a reply must fulfil and the values taken from it, as the YAML of a workload
/// and the command line write them.
public final class ReplyTerms {
    /// Maximum number of characters of an expression, because the JDK compiles nested brackets by
    /// recursion.
    private static final int MAX_REGEX = 1000;

    private ReplyTerms() {}

    static List<Check> checks(YamlMap map) {
        List<Check> all = new ArrayList<>();
        map.value("status", Integer::parseInt, "a status such as 200")
                .ifPresent(s -> all.add(new Check.Status(s)));
        map.value("contains", Function.identity(), "a text")
                .ifPresent(t -> all.add(new Check.Contains(t)));
        map.value("json", ReplyTerms::jsonEquals, "POINTER=VALUE, e.g. /state=open")
                .ifPresent(all::add);
        map.value("bytes", Long::parseLong, "the least size of the body")
                .ifPresent(n -> all.add(new Check.BodyAtLeast(n)));
        map.value("header", ReplyTerms::headerEquals, "NAME=VALUE, e.g. x-state=done")
                .ifPresent(all::add);
        map.close();
        return all;
    }

    private static Check jsonEquals(String text) {
        int equals = text.indexOf('=');
        if (!text.startsWith("/") || equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not POINTER=VALUE");
        }
        return new Check.JsonEquals(text.substring(0, equals), text.substring(equals + 1));
    }

    private static Check headerEquals(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=VALUE");
        }
        return new Check.HeaderEquals(text.substring(0, equals), text.substring(equals + 1));
    }

    /// Parses a condition from the command line: `status 200`, `contains TEXT`, `json
    /// /POINTER=VALUE`, `header NAME=VALUE` or `bytes N`.
    ///
    /// @throws IllegalArgumentException if it is none of these
    public static Check check(String text) {
        int space = text.indexOf(' ');
        String what = space < 0 ? "" : text.substring(space + 1).trim();
        if (what.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' does not say what to look for");
        }
        return switch (text.substring(0, space)) {
            case "status" -> new Check.Status(Integer.parseInt(what));
            case "contains" -> new Check.Contains(what);
            case "json" -> jsonEquals(what);
            case "header" -> headerEquals(what);
            case "bytes" -> new Check.BodyAtLeast(Long.parseLong(what));
            default -> throw new IllegalArgumentException("'" + text + "' is no condition");
        };
    }

    /// Parses a value to take from a reply, from the command line: `NAME=json /POINTER`,
    /// `NAME=header NAME` or `NAME=regex EXPRESSION`.
    ///
    /// @throws IllegalArgumentException if it is none of these
    public static Take takeFrom(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=HOW");
        }
        return take(text.substring(0, equals), text.substring(equals + 1));
    }

    static List<Take> takes(YamlMap step) {
        List<Take> all = new ArrayList<>();
        step.strings("take")
                .forEach((name, how) -> {
                    try {
                        all.add(take(name, how));
                    } catch (IllegalArgumentException e) {
                        step.problem(
                                "take",
                                name + ": " + e.getMessage(),
                                "write header NAME, regex EXPRESSION or json /POINTER");
                    }
                });
        return all;
    }

    /// Parses the part of a reply to take: `json /token`, `header Location`, `regex id=(\d+)`.
    private static Take take(String name, String how) {
        int space = how.indexOf(' ');
        String kind = space < 0 ? how : how.substring(0, space);
        String what = space < 0 ? "" : how.substring(space + 1).trim();
        if (what.isEmpty()) {
            throw new IllegalArgumentException("'" + how + "' does not say what to take");
        }
        return switch (kind) {
            case "header" -> new Take.Header(name, what);
            case "json" -> {
                if (!what.startsWith("/")) {
                    throw new IllegalArgumentException("a JSON pointer starts with /");
                }
                yield new Take.Json(name, what);
            }
            case "regex" -> {
                if (what.length() > MAX_REGEX) {
                    throw new IllegalArgumentException(
                            "an expression of more than " + MAX_REGEX + " letters");
                }
                BoundedMatch.requireModest(what);
                try {
                    yield new Take.Regex(name, Pattern.compile(what));
                } catch (PatternSyntaxException e) {
                    throw new IllegalArgumentException(e.getDescription(), e);
                }
            }
            default -> throw new IllegalArgumentException("'" + kind + "' is no way to take");
        };
    }
}
