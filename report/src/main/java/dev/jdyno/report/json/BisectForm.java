package dev.jdyno.report.json;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.Guarded;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.BisectText;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// `jdyno/bisect/1`: its components are the keys of the contract, in their order.
public record BisectForm(
        String schema,
        String plan,
        Bisected.Verdict verdict,
        Commit good,
        Commit bad,
        int commits,
        Optional<Metric> figure,
        Optional<Double> before,
        Optional<Double> ratio,
        Optional<Interval> ci95,
        Optional<Found> found,
        List<Suspect> suspects,
        List<Guarded.Grew> grew,
        List<Guarded.Allocates> allocates,
        List<String> files,
        List<Versions.FileLines> diff,
        List<Version> measured,
        List<Skipped> skipped,
        double confidence,
        int starts,
        double seconds,
        double buildSeconds,
        boolean partial,
        String says,
        List<String> notes) {
    public static BisectForm of(Bisected b) {
        return new BisectForm(
                "jdyno/bisect/1",
                b.plan(),
                b.verdict(),
                Commit.of(b.good()),
                Commit.of(b.bad()),
                b.commits(),
                b.figure(),
                b.before(),
                b.effect().map(Effect::ratio),
                b.effect().map(Effect::interval),
                b.found()
                        .map(f ->
                                new Found(
                                        f.commits().stream().map(Commit::of).toList(),
                                        f.probability())),
                b.suspects().stream()
                        .map(s -> new Suspect(s.commit().hash(), s.probability()))
                        .toList(),
                b.grew(),
                b.allocates(),
                b.diff().files(),
                b.diff().lines(),
                b.measured().stream()
                        .map(v -> new Version(v.commit().hash(), v.starts(), v.ratio()))
                        .toList(),
                b.skipped().stream()
                        .map(s -> new Skipped(s.commit().hash(), s.built(), s.why()))
                        .toList(),
                b.confidence(),
                b.starts(),
                b.seconds(),
                b.buildSeconds(),
                b.partial(),
                BisectText.verdict(b),
                BisectText.notes(b));
    }

    public record Commit(String commit, String subject, Instant authored) {
        private static Commit of(Revision r) {
            return new Commit(r.hash(), r.subject(), r.authored());
        }
    }

    public record Found(List<Commit> commits, double probability) {}

    public record Suspect(String commit, double probability) {}

    public record Version(String commit, int starts, double ratio) {}

    public record Skipped(String commit, boolean built, String why) {}
}
