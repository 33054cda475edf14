package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Recommendations that name what to call instead, by the frames of libraries that were found:
/// `advice.txt`, which says its own format. They stand beside those of any verdict.
final class ApiAdvice {
    private static final String FILE = "/dev/jdyno/diagnose/advice.txt";
    private static final List<Entry> BUILT_IN = read();

    private ApiAdvice() {}

    /// @param frames from the outermost in, each the beginning of one
    record Seen(Profile.Kind kind, double share, List<String> frames) {
        // cpu 5 % java.util.regex.Pattern.compile
        static Seen parse(String text) {
            List<String> words = Arrays.asList(text.split(" "));
            return new Seen(
                    switch (words.get(0)) {
                        case "cpu" -> Profile.Kind.CPU;
                        case "busy" -> Profile.Kind.WALL;
                        default -> throw new IllegalArgumentException(text);
                    },
                    Double.parseDouble(words.get(1)) / 100,
                    words.subList(3, words.size()));
        }

        /// The share of the samples under the most load; empty when it is too small.
        OptionalDouble in(List<Profile> profiles) {
            return profiles.stream()
                    .filter(p -> p.kind() == kind && p.root().samples() > 0)
                    .max(Comparator.comparingInt(Profile::concurrency))
                    .map(p -> (double) under(p.root(), 0) / p.root().samples())
                    .filter(found -> found >= share)
                    .map(OptionalDouble::of)
                    .orElse(OptionalDouble.empty());
        }

        /// @param next the frame to be found next
        private long under(Profile.Node node, int next) {
            int then = node.frame().startsWith(frames.get(next)) ? next + 1 : next;
            return then == frames.size()
                    ? node.samples()
                    : node.children().stream().mapToLong(child -> under(child, then)).sum();
        }
    }

    /// @param logging what to write into the logging configuration; empty for a change of the code
    record Entry(String id, List<Seen> seen, String says, String how, Optional<String> logging) {
        private Optional<Recommendation> in(List<Profile> profiles) {
            for (Seen one : seen) {
                OptionalDouble found = one.in(profiles);
                if (found.isPresent()) {
                    return Optional.of(recommendation(one.kind(), found.getAsDouble()));
                }
            }
            return Optional.empty();
        }

        private Recommendation recommendation(Profile.Kind kind, double share) {
            boolean cpu = kind == Profile.Kind.CPU;
            String where =
                    say(
                            "%s: %.0f %% of the %s",
                            says, share * 100, cpu ? "CPU samples" : "busy threads are in it");
            Gain gain =
                    cpu
                            ? Gain.without(share, say("%.0f %% of the CPU samples go", share * 100))
                            : Gain.unknown("what limits then was not measured");
            var one = new RecommendationList();
            return logging.map(edit ->
                            one.setting(
                                    id,
                                    where,
                                    edit,
                                    how,
                                    gain,
                                    new Change.LoggingEdit(Optional.empty(), id, edit)))
                    .orElseGet(() -> one.byHand(id, where, "", how, gain))
                    .list()
                    .getFirst();
        }
    }

    /// The first entry of each id that is seen.
    static List<Recommendation> of(Situation s) {
        List<Recommendation> found = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Entry entry : BUILT_IN) {
            entry.in(s.insight().profiles()).filter(r -> ids.add(r.id())).ifPresent(found::add);
        }
        return found;
    }

    private static List<Entry> read() {
        try (InputStream in =
                Objects.requireNonNull(ApiAdvice.class.getResourceAsStream(FILE), FILE)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @throws IllegalArgumentException when a block is not complete
    static List<Entry> parse(String text) {
        return Arrays.stream(text.replaceAll("(?m)^#.*$", "").split("\\n\\s*\\n"))
                .map(String::strip)
                .filter(block -> !block.isEmpty())
                .map(ApiAdvice::entry)
                .toList();
    }

    private static Entry entry(String block) {
        Map<String, String> values = new HashMap<>();
        List<Seen> seen = new ArrayList<>();
        for (String line : block.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException(line);
            }
            String key = line.substring(0, colon);
            String value = line.substring(colon + 1).strip();
            if (key.equals("seen")) {
                seen.add(Seen.parse(value));
            } else if (values.put(key, value) != null) {
                throw new IllegalArgumentException(key + " twice: " + block);
            }
        }
        String id = values.get("id");
        String says = values.get("do");
        String how = values.get("how");
        if (seen.isEmpty() || id == null || says == null || how == null) {
            throw new IllegalArgumentException("not complete: " + block);
        }
        return new Entry(id, seen, says, how, Optional.ofNullable(values.get("logging")));
    }
}
