package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Optional;

/// A figure that is below its limit. Sentences of the form `only X (limit Y)` are made of it alone.
/// A figure at or above its limit cannot be one, so a rule can only give a reason that decided.
///
/// @param value below `limit`
public record BelowLimit(double value, double limit) {
    /// Maximum number of decimals. A smaller difference is not shown.
    private static final int MAX_DECIMALS = 9;

    /// @throws IllegalArgumentException when the value is not below the limit, or one of them is
    ///   not a number
    public BelowLimit {
        if (!(value < limit)) {
            throw new IllegalArgumentException(
                    Lines.say("%s is not below its limit of %s", value, limit));
        }
    }

    /// Empty if the value is not below the limit.
    public static Optional<BelowLimit> of(double value, double limit) {
        return value < limit ? Optional.of(new BelowLimit(value, limit)) : Optional.empty();
    }

    /// Returns the reason why a share rules a bottleneck out: `only 17 % of the threads in use wait
    /// for locks (limit 40 %)`.
    ///
    /// @param what the whole of the share, with its verb: `of the threads in use wait for locks`
    public String only(String what) {
        return Lines.say("only %s %% %s (limit %s %%)", shown(100), what, limit(100));
    }

    /// Returns the same reason for a number: `only 0.33 threads for each core … (limit 0.7)`.
    ///
    /// @param what the counted things, with their verb
    public String onlyOf(String what) {
        return Lines.say("only %s %s (limit %s)", shown(1), what, limit(1));
    }

    /// Returns the limit, multiplied by `times`, as a sentence shows it.
    String limit(double times) {
        return new RunnerUp.Decided(value, limit).limitText(times);
    }

    /// Returns the value, multiplied by `times`, as a sentence shows it. It has enough decimals to
    /// show that it is below the limit: 39.8 % and not 40 % for a limit of 40 %.
    String shown(double times) {
        int decimals = times > 1 ? 0 : 2;
        while (decimals < MAX_DECIMALS && rounded(value * times, decimals) >= limit * times) {
            decimals++;
        }
        return Lines.say("%." + decimals + "f", value * times);
    }

    private static double rounded(double v, int decimals) {
        double unit = Math.pow(10, decimals);
        return Math.round(v * unit) / unit;
    }
}
