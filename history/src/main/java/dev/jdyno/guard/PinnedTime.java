package dev.jdyno.guard;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Settings;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.function.DoubleUnaryOperator;

/// Divides the budget of a guarded run against a pinned build among its steps: the first
/// comparison, a second one if a figure looks worse, a diagnosis of today's build, and one of the
/// pinned build if a figure is worse.
///
/// Each comparison spends its own error probability, and the second one uses only its own starts.
/// So its error rate does not depend on the time that the first one left for it.
final class PinnedTime {
    /// Share of the budget after which the first comparison begins no further start, once it has
    /// the minimum number of starts.
    private static final double SHARE_OF_FIRST = 1.0 / 3;

    /// Minimum number of starts of each build in a comparison.
    static final int MIN_STARTS = Settings.DEFAULT.minStarts();

    /// Loads of a comparison, and loads at which a diagnosis looks into the service.
    private static final int LOADS = 2;

    /// Rounds of a diagnosis.
    private static final int ROUNDS = 3;

    /// Duration of what a diagnosis records at one load, in windows of the plan.
    private static final double WINDOWS = 5;

    private static final double SETTLE_SECONDS = 1;

    /// Estimates are rounded to this many seconds, because they are no more exact.
    private static final long ROUNDED = 10;

    /// Shortest start and shortest warm-up of a build, in seconds.
    private static final double SHORTEST_START = 1;

    private static final double SHORTEST_WARM_UP = 3;

    private final Duration budget;
    private final Duration block;
    private final Plan.Evidence evidence;
    private final NanoClock clock;
    private final long began;
    private double startSeconds;
    private double diagnosedSeconds;

    PinnedTime(Duration budget, Duration block, Plan.Evidence evidence, NanoClock clock) {
        this.budget = budget;
        this.block = block;
        this.evidence = evidence;
        this.clock = clock;
        this.began = clock.nanos();
    }

    /// Returns the time that the smallest guarded run takes if both builds start and are warm at
    /// once: three starts of each and one diagnosis.
    static Duration least(GuardSettings settings, Plan.Evidence evidence) {
        double one =
                SHORTEST_START + Math.min(SHORTEST_WARM_UP, Durations.seconds(settings.warmup()));
        double blocks = 2 * LOADS * Durations.seconds(settings.block());
        double diagnosis =
                one
                        + ROUNDS * Durations.seconds(settings.block())
                        + LOADS * Durations.seconds(evidence.window());
        return Durations.ofSeconds(MIN_STARTS * (2 * one + blocks) + diagnosis);
    }

    Duration budget() {
        return budget;
    }

    private double elapsed() {
        return clock.secondsSince(began);
    }

    /// Time after which the first comparison begins no further start than the minimum.
    Duration first() {
        return Durations.ofSeconds(SHARE_OF_FIRST * Durations.seconds(budget));
    }

    /// Time limit of a comparison that begins now, in seconds: all that the diagnosis of today's
    /// build leaves. It depends on the expected seconds of a further start.
    DoubleUnaryOperator limit() {
        double left = left();
        return each -> left - expectedDiagnosis(each, false);
    }

    /// Time that a second comparison may take.
    Duration second() {
        return Durations.ofSeconds(Math.max(0, limit().applyAsDouble(startSeconds)));
    }

    /// Notes how long a further start of both builds takes.
    void starts(double seconds) {
        startSeconds = seconds;
    }

    /// Notes how long a diagnosis took.
    void diagnosed(double seconds) {
        diagnosedSeconds = seconds;
    }

    /// True if the budget has time for a comparison with the minimum number of starts, and for a
    /// diagnosis after it.
    boolean hasTimeForComparison() {
        return comparisonSeconds() <= limit().applyAsDouble(startSeconds);
    }

    /// True if the budget has time for this many further diagnoses.
    ///
    /// @param longer whether their windows are longer
    boolean hasTimeForDiagnoses(int n, boolean longer) {
        return n * diagnosisSeconds(longer) <= left();
    }

    /// Expected time of the first comparison with the minimum number of starts and one diagnosis.
    ///
    /// @param starts number of starts so far
    private double usualSeconds(int starts) {
        return elapsed()
                + Math.max(0, MIN_STARTS - starts) * startSeconds
                + diagnosisSeconds(false);
    }

    /// A budget that has time for all steps, in whole minutes.
    ///
    /// @param first the first comparison so far
    Duration enough(Compared first) {
        double diagnosis = Math.max(diagnosedSeconds, expectedDiagnosis(startSeconds, true));
        double later = comparisonSeconds() + 2 * diagnosis;
        double all =
                first.seconds() + Math.max(0, MIN_STARTS - first.starts()) * startSeconds + later;
        // the first comparison may take all of its share
        double shared = later / (1 - SHARE_OF_FIRST);
        return Duration.ofMinutes((long) Math.ceil(Math.max(all, shared) / 60));
    }

    /// What the user can expect after the first start, in a sentence.
    String says(Compared first) {
        long usual = Math.round(usualSeconds(first.starts()) / ROUNDED) * ROUNDED;
        return MIN_STARTS
                + " starts of both builds and a diagnosis take about "
                + Durations.format(Duration.ofSeconds(usual))
                + ", up to "
                + Durations.format(enough(first))
                + " if a figure looks worse; the budget is "
                + Durations.format(budget);
    }

    private double comparisonSeconds() {
        return MIN_STARTS * startSeconds;
    }

    private double left() {
        return Durations.seconds(budget) - elapsed();
    }

    /// Expected duration of a diagnosis: that of the one before, if there was one.
    private double diagnosisSeconds(boolean longer) {
        return diagnosedSeconds > 0 ? diagnosedSeconds : expectedDiagnosis(startSeconds, longer);
    }

    /// A diagnosis starts one build, warms it up, and measures it in rounds and windows.
    ///
    /// @param each seconds of a start of both builds with its blocks
    private double expectedDiagnosis(double each, boolean longer) {
        double window = Durations.seconds(evidence.window()) * (longer ? Measuring.LONGER : 1);
        return each / 2
                + ROUNDS * (Durations.seconds(block) + SETTLE_SECONDS)
                + LOADS * WINDOWS * window;
    }
}
