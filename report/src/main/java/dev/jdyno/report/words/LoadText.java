package dev.jdyno.report.words;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.LoadFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The load of a run: the duration of the warm-up, whether the client was the limit, and which of
/// several addresses it loaded.
public final class LoadText {
    private LoadText() {}

    /// Lines on the warm-up, the client and the addresses; empty if jdyno did not send the load.
    public static List<String> of(RunResult r) {
        String load =
                Stream.of(warmUp(r), client(r))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining("; "));
        Optional<LoadFacts> facts = r.recording().load();
        return Stream.of(
                        Optional.of(load),
                        facts.flatMap(LoadFacts::warmUp).flatMap(WarmUpText::of),
                        facts.flatMap(LoadText::addresses))
                .flatMap(Optional::stream)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /// The sentences as one text.
    public static String text(RunResult r) {
        return of(r).stream()
                .map(s -> s.substring(0, 1).toUpperCase(Locale.ROOT) + s.substring(1) + ".")
                .collect(Collectors.joining(" "));
    }

    private static Optional<String> warmUp(RunResult r) {
        return r.recording().warmupSeconds().map(s -> "warm-up " + Figures.number(s) + " s");
    }

    /// Whether the client was the limit. If it was in no round, the figure is that of the reported
    /// load.
    private static Optional<String> client(RunResult result) {
        List<Round> ours = result.rounds().stream().filter(r -> r.bytesRead().isPresent()).toList();
        List<Round> limited = ours.stream().filter(r -> r.client().saturated()).toList();
        List<Round> itself = limited.stream().filter(r -> !r.client().heldUp()).toList();
        if (!itself.isEmpty()) {
            return Optional.of("the client was the limit" + in(itself, ours));
        }
        if (!limited.isEmpty()) {
            return Optional.of("the machine held the client up" + in(limited, ours));
        }
        return result.operatingPoint()
                .map(OperatingPoint::round)
                .filter(ours::contains)
                .or(() -> busiest(ours))
                .map(r ->
                        String.format(
                                Locale.ROOT,
                                "the client was not the limit: busiest loop at %s %%, %s (limit %.0f %%)",
                                Figures.number(r.client().busiestLoopPct()),
                                Highlights.load(r),
                                ClientSide.LOOP_BUSY_LIMIT_PCT));
    }

    /// The number of rounds, with the reason from the round with the busiest loop.
    private static String in(List<Round> limited, List<Round> all) {
        Round busiest = busiest(limited).orElseThrow();
        return String.format(
                Locale.ROOT,
                " in %d of %d rounds, at %s: %s",
                limited.size(),
                all.size(),
                Highlights.load(busiest),
                busiest.client().why().orElse("the reason is not known"));
    }

    private static Optional<Round> busiest(List<Round> rounds) {
        return rounds.stream().max(Comparator.comparingDouble(r -> r.client().busiestLoopPct()));
    }

    private static Optional<String> addresses(LoadFacts facts) {
        if (!facts.isOneOfSeveral()) {
            return Optional.empty();
        }
        String used =
                "of the host's %d addresses, %s took the load"
                        .formatted(
                                facts.addresses().size() + facts.unanswered().size(),
                                String.join(" and ", facts.addresses()));
        return Optional.of(
                facts.unanswered().isEmpty()
                        ? used
                        : used
                                + "; "
                                + String.join(" and ", facts.unanswered())
                                + " accepted no connection");
    }
}
