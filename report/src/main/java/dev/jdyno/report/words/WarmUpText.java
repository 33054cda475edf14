package dev.jdyno.report.words;

import dev.jdyno.measure.load.WarmUpFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The result of a warm-up whose JIT compilers lacked CPU cores: how many methods waited for
/// compilation, what pauses of the load gained, and whether the rounds measured a warm service.
final class WarmUpText {
    private WarmUpText() {}

    /// One line; empty if the compilers had enough cores.
    static Optional<String> of(WarmUpFacts facts) {
        List<String> parts = new ArrayList<>();
        if (!facts.rests().isEmpty()) {
            parts.add(rests(facts));
        }
        facts.compilers()
                .queued()
                .filter(_ -> !facts.rests().isEmpty() || facts.after().isPresent())
                .ifPresent(q -> parts.add(String.format(Locale.ROOT, "%,d waited at its end", q)));
        facts.after().ifPresent(a -> parts.add(after(a)));
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("in the warm-up " + String.join("; ", parts));
    }

    private static String rests(WarmUpFacts facts) {
        int many = facts.rests().size();
        String waited =
                facts.queuedMost()
                        .map(q ->
                                String.format(
                                        Locale.ROOT,
                                        "up to %,d methods waited for the JIT compilers",
                                        q))
                        .orElse("the JIT compilers waited for a core");
        String rested =
                String.format(
                        Locale.ROOT,
                        "; %s, %s s%s",
                        many == 1 ? "1 rest" : many + " rests",
                        Figures.number(facts.restedSeconds()),
                        many == 1 ? "" : " in total");
        WarmUpFacts.Rest first = facts.rests().getFirst();
        return waited
                + rested
                + facts.restsRatio()
                        .map(ratio ->
                                ", %s throughput from ".formatted(ratio > 1 ? "raised" : "changed")
                                        + Figures.number(first.qpsBefore())
                                        + "/s to "
                                        + Figures.number(first.qpsBefore() * ratio)
                                        + "/s")
                        .orElse("");
    }

    private static String after(WarmUpFacts.After after) {
        double percent = (after.ratio() - 1) * 100;
        return String.format(
                Locale.ROOT,
                "after the rounds a rest of %s s changed throughput at N=%d by %+.0f %%: %s",
                Figures.number(after.restSeconds()),
                after.concurrency(),
                percent,
                after.hasMore() ? "the rounds were not warm" : "no further gain");
    }
}
