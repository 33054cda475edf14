package dev.jdyno.report.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Explains the ids of formulas and experiments and the short terms in the texts of a result, so
/// that readers of the page do not need docs/domain.md.
public final class Glossary {
    private static final Pattern TERM =
            Pattern.compile(
                    "\\b(?:F1[0-5]|F[1-9]|E\\d{1,2}|USL|N(?= ?= ?\\d)|Knee(?=:))(?![\\w*])");

    private static final Map<String, String> MEANS =
            Map.ofEntries(
                    Map.entry(
                            "F1",
                            "F1: the knee. The lowest concurrency with the full throughput is a"
                                    + " request's total time / its time on the bottleneck × the"
                                    + " bottleneck's units"),
                    Map.entry(
                            "F2",
                            "F2: throughput at saturation. The highest throughput is the"
                                    + " bottleneck's units / the time for which a request"
                                    + " occupies one unit"),
                    Map.entry(
                            "F3",
                            "F3: Little's law. Throughput is requests in flight / response time;"
                                    + " below the knee, response time is constant"),
                    Map.entry(
                            "F4",
                            "F4: above the knee. Throughput stays constant, and response time"
                                    + " grows in proportion to the requests in flight"),
                    Map.entry(
                            "F5",
                            "F5: the knee from one user. It is about 1 / the share of the"
                                    + " machine's CPU that one user uses"),
                    Map.entry(
                            "F6",
                            "F6: requests that memory can hold. Survivor space / live memory of"
                                    + " one request"),
                    Map.entry(
                            "F7",
                            "F7: request memory. A request allocates Eden / the number of"
                                    + " requests between two young collections"),
                    Map.entry(
                            "F8",
                            "F8: young generation for a given pace. It must hold what the"
                                    + " requests allocate between two young collections"),
                    Map.entry(
                            "F9",
                            "F9: large enough. A young generation above 100 times the memory that"
                                    + " a request allocates gives little more throughput"),
                    Map.entry(
                            "F10",
                            "F10: time to the next full collection. Free space of the old"
                                    + " generation / the rate at which young collections move"
                                    + " objects into it"),
                    Map.entry(
                            "F11",
                            "F11: the dynamic age. If objects up to an age fill more than half of"
                                    + " a survivor space, objects from this age on move to the"
                                    + " old generation"),
                    Map.entry(
                            "F12",
                            "F12: rules of thumb. The young generation is a quarter of"
                                    + " the heap, a survivor space an eighth of the young generation"),
                    Map.entry(
                            "F13",
                            "F13: the limit of threads. Memory outside the heap / stack size, or"
                                    + " a lower limit of the system"),
                    Map.entry(
                            "F14",
                            "F14: time of a young collection. Mostly the time to copy the objects"
                                    + " that are still alive"),
                    Map.entry(
                            "F15",
                            "F15: pages. The memory that a rendered page allocates, by"
                                    + " the size of the page"),
                    Map.entry("N", "N: requests in flight at any time"),
                    Map.entry(
                            "Knee",
                            "the knee: the lowest number of requests in flight that saturates the"
                                    + " bottleneck. It is the point where the straight line of"
                                    + " throughput below it meets the one above it"),
                    Map.entry(
                            "USL",
                            "universal scalability law: σ is the share of work that is done one"
                                    + " request at a time, κ the cost of coordination between"
                                    + " requests; values near 0 mean none"));

    private Glossary() {}

    /// @param text an id, or the text between two ids
    /// @param means meaning of the id; empty if the text is not an id
    public record Part(String text, String means) {}

    /// Splits a text into its ids and the text between them.
    public static List<Part> parts(String text) {
        List<Part> parts = new ArrayList<>();
        int done = 0;
        for (MatchResult m : TERM.matcher(text).results().toList()) {
            parts.add(new Part(text.substring(done, m.start()), ""));
            parts.add(new Part(m.group(), means(m.group())));
            done = m.end();
        }
        parts.add(new Part(text.substring(done), ""));
        return parts.stream().filter(p -> !p.text().isEmpty()).toList();
    }

    private static String means(String id) {
        return Optional.ofNullable(MEANS.get(id))
                .orElseGet(() -> id + ": a published experiment, in jdyno's docs/domain.md");
    }
}
