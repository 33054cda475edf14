package dev.jdyno.judge;

import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.GoalKnee;
import java.util.List;
import java.util.Optional;

/// The result of a run with goals. Its figures are invented.
public final class GoalFixture {
    private GoalFixture() {}

    public static GoalKnee knee() {
        return new GoalKnee(
                List.of("p99<100ms", "errors<0.1%"),
                Optional.of(142.5),
                Optional.of(157.5),
                149.8,
                31.5,
                true,
                "p99<100ms",
                "cpu at dev.jdyno.lab.CpuBurner.burn",
                0.12,
                175,
                243,
                31_250,
                Optional.of(new GoalKnee.Pauses(87, 222, 0.0028, 4.1, 61.5)),
                "p99<100ms to ±5 % needs about 4m of load",
                GoalKnee.Reason.BRACKETED,
                "p99<100ms holds at 142.5/s and breaks at 157.5/s, most likely at 149.8/s",
                "",
                List.of(
                        test(140, GoalKnee.Outcome.OPEN, 0.004, 0.0007, 0.011),
                        test(157.5, GoalKnee.Outcome.BAD, 0.033, 0.019, 0.051),
                        test(142.5, GoalKnee.Outcome.GOOD, 0.0021, 0, 0.0093)));
    }

    private static GoalKnee.Tested test(
            double rate, GoalKnee.Outcome outcome, double share, double lo, double hi) {
        return new GoalKnee.Tested(
                rate,
                70,
                outcome,
                outcome == GoalKnee.Outcome.BAD ? "more requests missed a goal than it allows" : "",
                List.of(
                        new GoalKnee.Misses("p99<100ms", share, lo, hi, 0.01),
                        new GoalKnee.Misses("errors<0.1%", 0, 0, 0.0004, 0.001)));
    }

    public static RunResult run() {
        return with(ResultFixture.e1(), Optional.of(knee()));
    }

    /// A result that was stopped before the first rate was tested.
    public static RunResult untested() {
        return with(
                ResultFixture.e1(),
                Optional.of(
                        GoalKnee.untested(
                                List.of("p99<100ms", "errors<0.1%"),
                                GoalKnee.Reason.INTERRUPTED,
                                "cut short before the first rate was driven: nothing is known")));
    }

    /// Every text is hostile and long, as in {@link ResultFixture#monstrous()}.
    public static RunResult monstrous() {
        String evil = "<script>alert(1)</script>\u001b[31m".repeat(20);
        GoalKnee k = knee();
        return with(
                ResultFixture.monstrous(),
                Optional.of(
                        new GoalKnee(
                                List.of(evil),
                                Optional.empty(),
                                Optional.empty(),
                                k.estimate(),
                                k.steepness(),
                                false,
                                evil,
                                evil,
                                1,
                                k.saturationQps(),
                                k.loadSeconds(),
                                0,
                                Optional.empty(),
                                evil,
                                GoalKnee.Reason.BUDGET_SPENT,
                                evil,
                                evil,
                                List.of())));
    }

    private static RunResult with(RunResult r, Optional<GoalKnee> goal) {
        return Results.of(
                r.jdyno(),
                new Recording(
                        r.machine(),
                        r.target(),
                        Optional.empty(),
                        r.rounds(),
                        r.census(),
                        List.of(),
                        r.partial()),
                goal,
                r.knee(),
                r.demands(),
                r.verdict(),
                r.whatIf(),
                r.recommendations(),
                r.validity());
    }
}
