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
                            "F1: the best concurrency is a request's whole time / its time on the bottleneck x the bottleneck's units"),
                    Map.entry(
                            "F2",
                            "F2: the most throughput is the bottleneck's units / the time one request takes of one"),
                    Map.entry(
                            "F3",
                            "F3: below the knee throughput is requests in flight / response time (Little's law)"),
                    Map.entry(
                            "F4",
                            "F4: beyond the knee throughput stays and response time grows with the requests in flight"),
                    Map.entry("F5", "F5: one user's share of the machine's CPU tells the knee"),
                    Map.entry(
                            "F6",
                            "F6: memory holds as many requests as fit into a survivor space with what each keeps alive"),
                    Map.entry(
                            "F7",
                            "F7: what a request allocates is Eden / the requests between two young collections"),
                    Map.entry(
                            "F8",
                            "F8: what all requests in flight allocate in their time must fit into the young generation"),
                    Map.entry(
                            "F9",
                            "F9: a young generation beyond 100 times what a request allocates gives little more"),
                    Map.entry(
                            "F10",
                            "F10: what a young collection moves into the old generation tells when the next full one comes"),
                    Map.entry(
                            "F11",
                            "F11: objects that fill more than half of a survivor space go to the old generation early"),
                    Map.entry("F12", "F12: rules of thumb for the sizes of the young generation"),
                    Map.entry(
                            "F13",
                            "F13: so many threads are possible by memory, stack size and limits of the system"),
                    Map.entry(
                            "F14",
                            "F14: a young collection takes as long as copying what lives takes"),
                    Map.entry("F15", "F15: what pages of a size allocate"),
                    Map.entry("N", "N: requests in flight at any time"),
                    Map.entry(
                            "Knee",
                            "the knee: the requests in flight that just use up what limits the service; there the two straight lines meet that the curve follows below and above"),
                    Map.entry(
                            "USL",
                            "universal scalability law: σ is the share of the work done one at a time, κ what requests cost each other; near 0 there is none"));

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
