package dev.jdyno.report.words;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.LambdaName;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Adds file and line to the methods in a sentence: `com.acme.Page.get (Page.java:12)`.
public final class SourceText {
    private final Map<String, SourceLine> byMethod;

    private SourceText(List<SourceLine> sources) {
        byMethod =
                sources.stream()
                        .collect(
                                Collectors.toMap(
                                        SourceLine::method, Function.identity(), (a, _) -> a));
    }

    /// The lines of an insight, and those of the methods that held what others waited for.
    public static SourceText of(Recording recording) {
        return new SourceText(
                Stream.concat(
                                recording.insight().sources().stream(),
                                recording.census().stream()
                                        .flatMap(window -> window.busy().stream())
                                        .flatMap(busy -> busy.holderStack().stream()))
                        .toList());
    }

    /// The text with file and line after each method whose line is known. A lambda is named by the
    /// method around it.
    public String beside(Sentence sentence) {
        return sentence.worded(name -> LambdaName.readable(name) + behind(name));
    }

    /// The text after the name of a method: ` (Page.java:12)`; empty if its line is unknown.
    String behind(String method) {
        return of(method).map(line -> " (" + line.text() + ")").orElse("");
    }

    /// The line of a method, if it is known.
    public Optional<SourceLine> of(String method) {
        return Optional.ofNullable(byMethod.get(method));
    }

    /// The source line of the bottleneck; empty if its place is not a method, or if its line is
    /// unknown.
    public Optional<SourceLine> at(Verdict verdict) {
        return PlaceText.frame(verdict.where()).flatMap(this::of);
    }
}
