package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.LambdaName;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Short names of methods, as engineers look for them: `Page.get (Page.java:12)`. The package is
/// left out if the result names no other class with the same name. A lambda is named by the method
/// around it.
public final class ShortNames {
    private final SourceText source;
    private final Set<String> ambiguous = new HashSet<>();

    /// A name in the JVM's form: its package with the dot after it, and the rest.
    private record Split(String inPackage, String rest) {
        /// Splits a name. A package begins with a small letter and a class with a capital one. A
        /// name without a class has no package that could be left out.
        static Split of(String name) {
            int from = 0;
            int dot = name.indexOf('.');
            while (dot > from && Character.isLowerCase(name.charAt(from))) {
                from = dot + 1;
                dot = name.indexOf('.', from);
            }
            return from < name.length() && Character.isUpperCase(name.charAt(from))
                    ? new Split(name.substring(0, from), name.substring(from))
                    : new Split("", name);
        }

        /// The outermost class.
        String type() {
            int end = 0;
            while (end < rest.length() && rest.charAt(end) != '.' && rest.charAt(end) != '$') {
                end++;
            }
            return rest.substring(0, end);
        }
    }

    private ShortNames(SourceText source, Stream<String> names) {
        this.source = source;
        Map<String, String> packages = new HashMap<>();
        names.map(Split::of)
                .filter(n -> !n.inPackage().isEmpty())
                .forEach(n -> {
                    String in = packages.putIfAbsent(n.type(), n.inPackage());
                    if (in != null && !in.equals(n.inPackage())) {
                        ambiguous.add(n.type());
                    }
                });
    }

    /// Short names based on all classes that a measurement and its judgement name.
    public static ShortNames of(Recording recording, Judged judged) {
        return new ShortNames(
                SourceText.of(recording),
                Stream.concat(
                        recording.insight().sources().stream().map(SourceLine::method),
                        Stream.concat(measured(recording), concluded(judged))
                                .flatMap(s -> s.names().stream())
                                .map(Sentence.Name::name)));
    }

    private static Stream<Sentence> measured(Recording recording) {
        Insight seen = recording.insight();
        return Stream.concat(
                recording.rounds().stream()
                        .map(Round::anatomy)
                        .flatMap(Optional::stream)
                        .flatMap(a -> a.topN().stream())
                        .map(Breakdown.Spot::place)
                        .map(PlaceText::named),
                seen.exceptions().stream()
                        .flatMap(t -> Stream.of(t.type(), t.site()))
                        .map(PlaceText::named));
    }

    private static Stream<Sentence> concluded(Judged judged) {
        Verdict v = judged.verdict();
        return Stream.of(
                        Stream.of(PlaceText.named(v.where()), v.says()),
                        v.nextLimit().stream().map(n -> PlaceText.named(n.where())),
                        v.evidence().stream().map(Verdict.EvidenceLine::says),
                        v.runnersUp().stream().map(Verdict.RunnerUp::whyNot),
                        judged.recommendations().stream().map(Recommendation::says))
                .flatMap(sentences -> sentences);
    }

    /// The text with short names, and file and line after each method whose line is known.
    public String in(Sentence sentence) {
        return sentence.worded(this::located);
    }

    /// A place in short form, which begins with its method: `Page.get (Page.java:12), HikariCP`.
    public String place(String where) {
        return PlaceText.beforeFrame(where)
                .map(what ->
                        method(where)
                                + (isMethod(what) ? ", calling " : ", ")
                                + PlaceText.named(what).worded(this::brief))
                .orElseGet(() -> in(PlaceText.named(where)));
    }

    /// The method of a place, with its line. If the place has no method, the whole place is
    /// returned.
    public String method(String where) {
        return PlaceText.frame(where)
                .map(this::located)
                .orElseGet(() -> in(PlaceText.named(where)));
    }

    /// The method of a place without the file name: `Page.get:12`.
    public String compact(String where) {
        return PlaceText.frame(where)
                .map(method ->
                        brief(method) + source.of(method).map(l -> ":" + l.line()).orElse(""))
                .orElseGet(() -> in(PlaceText.named(where)));
    }

    private static boolean isMethod(String what) {
        return PlaceText.frame(what)
                .filter(m -> !Character.isUpperCase(m.charAt(m.lastIndexOf('.') + 1)))
                .isPresent();
    }

    private String located(String name) {
        return brief(name) + source.behind(name);
    }

    private String brief(String name) {
        Split split = Split.of(name);
        return LambdaName.readable(ambiguous.contains(split.type()) ? name : split.rest());
    }
}
