package dev.jdyno.report.json;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.Guarded;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.BisectText;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.util.List;
import java.util.Optional;

/// `jdyno/bisect/1`: its components are the keys of the contract, in their order.
public record BisectForm(
        String schema,
        String plan,
        Bisected.Verdict verdict,
        Revision good,
        Revision bad,
        int commits,
        Optional<Metric> figure,
        Optional<Double> before,
        Optional<Double> ratio,
        Optional<Interval> ci95,
        Optional<Bisected.Found> found,
        List<Bisected.Suspect> suspects,
        List<Guarded.Grew> grew,
        List<Guarded.Allocates> allocates,
        List<String> files,
        List<Versions.FileLines> diff,
        List<Bisected.Version> measured,
        List<Bisected.Skipped> skipped,
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
                b.good(),
                b.bad(),
                b.commits(),
                b.figure(),
                b.before(),
                b.effect().map(Effect::ratio),
                b.effect().map(Effect::interval),
                b.found(),
                b.suspects(),
                b.grew(),
                b.allocates(),
                b.diff().files(),
                b.diff().lines(),
                b.measured(),
                b.skipped(),
                b.confidence(),
                b.starts(),
                b.seconds(),
                b.buildSeconds(),
                b.partial(),
                BisectText.verdict(b),
                BisectText.notes(b));
    }





}
