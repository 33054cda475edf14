package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Puts file and line beside the methods that a text names: `com.acme.Page.get (Page.java:12)`.
public final class SourceText {
    private final Map<String, SourceLine> byMethod;
    private final Optional<Pattern> methods;

    private SourceText(List<SourceLine> sources) {
        byMethod =
                sources.stream()
                        .collect(
                                Collectors.toMap(
                                        SourceLine::method, Function.identity(), (a, _) -> a));
        methods =
                byMethod.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                Pattern.compile(
                                        byMethod.keySet().stream()
                                                .sorted(Comparator.reverseOrder())
                                                .map(Pattern::quote)
                                                .collect(
                                                        Collectors.joining(
                                                                "|",
                                                                "(?<![\\w.$/])(",
                                                                ")(?![\\w$(])"))));
    }

    public static SourceText of(Insight insight) {
        return new SourceText(insight.sources());
    }

    /// The text with the line beside each method whose line is known.
    public String beside(String text) {
        return methods.map(p ->
                        p.matcher(text)
                                .replaceAll(m ->
                                        Matcher.quoteReplacement(
                                                m.group(1) + " (" + line(m.group(1)) + ")")))
                .orElse(text);
    }

    /// The line of a method, where it is known.
    Optional<SourceLine> of(String method) {
        return Optional.ofNullable(byMethod.get(method));
    }

    private String line(String method) {
        SourceLine line = byMethod.get(method);
        return line == null ? "" : line.text();
    }

    /// Where the bottleneck is in the source code; empty where it is at no method, or its line is
    /// not known.
    public static Optional<SourceLine> at(Verdict verdict, Insight insight) {
        return PlaceText.frame(verdict.where())
                .flatMap(method ->
                        insight.sources().stream()
                                .filter(s -> s.method().equals(method))
                                .findFirst());
    }
}
