package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Methods as an engineer looks for them: `Page.get (Page.java:12)`. The package is left out where
/// the result names no other class of that name.
public final class ShortNames {
    /// A class behind its package; none behind what makes it a part of a setting, a path or a
    /// quotation, which one copies as a whole.
    private static final Pattern QUALIFIED =
            Pattern.compile(
                    "(?<![\\w.$/=`\"'-])(?<package>(?:\\p{Ll}\\w*\\.)+)(?<class>\\p{Lu}\\w*)");

    private final SourceText source;
    private final Set<String> ambiguous = new HashSet<>();

    private ShortNames(SourceText source, Stream<String> texts) {
        this.source = source;
        Map<String, String> packages = new HashMap<>();
        texts.flatMap(t -> QUALIFIED.matcher(t).results())
                .forEach(m -> {
                    String in = packages.putIfAbsent(m.group("class"), m.group("package"));
                    if (in != null && !in.equals(m.group("package"))) {
                        ambiguous.add(m.group("class"));
                    }
                });
    }

    /// By all classes that a measurement and its judgement name.
    public static ShortNames of(Recording recording, Judged judged) {
        return new ShortNames(
                SourceText.of(recording.insight()),
                Stream.concat(measured(recording), concluded(judged)));
    }

    private static Stream<String> measured(Recording recording) {
        Insight seen = recording.insight();
        return Stream.of(
                        recording.rounds().stream()
                                .map(Round::anatomy)
                                .flatMap(Optional::stream)
                                .flatMap(a -> a.topN().stream())
                                .map(Breakdown.Spot::where),
                        seen.sources().stream().map(SourceLine::method),
                        seen.exceptions().stream().flatMap(t -> Stream.of(t.type(), t.site())))
                .flatMap(texts -> texts);
    }

    private static Stream<String> concluded(Judged judged) {
        Verdict v = judged.verdict();
        return Stream.of(
                        Stream.of(v.where(), v.says()),
                        v.evidence().stream().map(Verdict.EvidenceLine::says),
                        v.runnersUp().stream().map(Verdict.RunnerUp::whyNot),
                        judged.prescriptions().stream().map(Recommendation::says))
                .flatMap(texts -> texts);
    }

    /// The text with short names, and file and line beside the methods whose line is known.
    public String in(String text) {
        return QUALIFIED.matcher(source.beside(text)).replaceAll(this::brief);
    }

    /// A place, its method first: `Page.get (Page.java:12), HikariCP`.
    public String place(String where) {
        return PlaceText.beforeFrame(where)
                .map(what ->
                        method(where)
                                + (isMethod(what) ? ", calling " : ", ")
                                + QUALIFIED.matcher(what).replaceAll(this::brief))
                .orElseGet(() -> in(where));
    }

    /// The method of a place alone, with its line; the whole place where it names no method.
    public String method(String where) {
        return in(PlaceText.frame(where).orElse(where));
    }

    /// The same without the name of the file: `Page.get:12`.
    public String compact(String where) {
        return PlaceText.frame(where)
                .map(method ->
                        QUALIFIED.matcher(method).replaceAll(this::brief)
                                + source.of(method).map(l -> ":" + l.line()).orElse(""))
                .orElseGet(() -> in(where));
    }

    private static boolean isMethod(String what) {
        return PlaceText.frame(what)
                .filter(m -> !Character.isUpperCase(m.charAt(m.lastIndexOf('.') + 1)))
                .isPresent();
    }

    private String brief(MatchResult m) {
        String type = m.group("class");
        return Matcher.quoteReplacement(
                ambiguous.contains(type) ? m.group("package") + type : type);
    }
}
