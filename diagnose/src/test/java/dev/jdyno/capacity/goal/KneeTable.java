package dev.jdyno.capacity.goal;

import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Prints the comparison of knee searches for docs/knee-search.md. Run it with the test classes on
/// the class path: `java -cp app/target/test-classes:app/target/classes:…
/// dev.jdyno.capacity.KneeTable [seeds [first seed]]`.
final class KneeTable {
    private KneeTable() {}

    static final Goal P99 = Goal.responseTime("p99<50ms", 0.99, 50);
    static final Goal P95 = Goal.responseTime("p95<50ms", 0.95, 50);

    public static void main(String[] args) {
        int seeds = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        int first = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
        StringBuilder out = new StringBuilder();
        for (Goal goal : List.of(P99, P95)) {
            for (var setting :
                    List.of(
                            SimulatedService.QUIET,
                            SimulatedService.JVM,
                            SimulatedService.NOISY,
                            SimulatedService.SOFT)) {
                double truth = KneeContest.truth(setting, goal, 40_000);
                out.append(
                        String.format(
                                Locale.ROOT,
                                "%n%s, %s: truth %.1f/s (%.0f %% of saturation), %d seeds%n%n",
                                setting.name(),
                                goal.name(),
                                truth,
                                100 * truth / setting.saturation(),
                                seeds));
                out.append(
                        "| method | estimate, median error | 5–95 % spread | bracket holds the truth"
                                + " | good bound > 3 % too high | bracket width | load, min |\n"
                                + "| --- | --- | --- | --- | --- | --- | --- |\n");
                for (KneeContest.Row r : rows(setting, goal, truth, first, seeds)) {
                    out.append(
                            String.format(
                                    Locale.ROOT,
                                    "| %s | %+.1f %% | %.1f %% | %.0f %% | %.0f %% | %.1f %% | %.1f |%n",
                                    r.method(),
                                    100 * r.error(),
                                    100 * r.spread(),
                                    100 * r.holds(),
                                    100 * r.tooHigh(),
                                    100 * r.width(),
                                    r.loadSeconds() / 60));
                }
            }
        }
        System.out.print(out);
    }

    private static List<KneeContest.Row> rows(
            SimulatedService.Setting setting, Goal goal, double truth, int first, int seeds) {
        double budget = goal.equals(P99) ? 600 : 300;
        List<KneeContest.Row> rows = new ArrayList<>();
        rows.add(
                KneeContest.contest(
                        "verified bracket",
                        KneeContest.ours(budget, 0.05, true),
                        setting,
                        goal,
                        truth,
                        first,
                        seeds));
        rows.add(
                KneeContest.contest(
                        "the same, blind for pauses",
                        KneeContest.ours(budget, 0.05, false),
                        setting,
                        goal,
                        truth,
                        first,
                        seeds));
        rows.add(
                KneeContest.contest("ramp", KneeContest::ramp, setting, goal, truth, first, seeds));
        for (double s : new double[] {20, 60}) {
            rows.add(
                    KneeContest.contest(
                            "doubling + binary, %.0f s".formatted(s),
                            KneeContest.doublingThenBinary(s),
                            setting,
                            goal,
                            truth,
                            first,
                            seeds));
        }
        rows.add(
                KneeContest.contest(
                        "5 % staircase, 60 s",
                        KneeContest::staircase, setting, goal, truth, first, seeds));
        return rows;
    }
}
