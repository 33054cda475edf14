package dev.jdyno.diagnose.evidence;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/// A figure that stays below its limit: the only thing that a sentence of the form `only X (limit
/// Y)` is made of. A figure at its limit or beyond it cannot be one, so that no rule can give a
/// reason that did not decide.
///
/// @param value below `limit`
public record BelowLimit(double value, double limit) {
    /// Decimals beyond which a difference is no longer shown.
    private static final int DECIMALS_AT_MOST = 9;

    /// Digits of a limit: all of what a named constant has.
    private static final int LIMIT_DIGITS = 9;

    /// @throws IllegalArgumentException when the value is not below the limit, or one of them is
    ///   not a number
    public BelowLimit {
        if (!(value < limit)) {
            throw new IllegalArgumentException(
                    Lines.say("%s is not below its limit of %s", value, limit));
        }
    }

    /// Empty when the value is not below the limit.
    public static Optional<BelowLimit> of(double value, double limit) {
        return value < limit ? Optional.of(new BelowLimit(value, limit)) : Optional.empty();
    }

    /// Why a share rules a bottleneck out: `only 17 % of the threads in use wait for locks (limit
    /// 40 %)`.
    ///
    /// @param what of what it is a share, and what that does
    public String only(String what) {
        return Lines.say("only %s %% %s (limit %s %%)", shown(100), what, limit(100));
    }

    /// The same of a number: `only 0.33 threads for each core … (limit 0.7)`.
    ///
    /// @param what is counted
    public String onlyOf(String what) {
        return Lines.say("only %s %s (limit %s)", shown(1), what, limit(1));
    }

    /// The limit as a sentence shows it, times that.
    String limit(double times) {
        return BigDecimal.valueOf(limit * times)
                .round(new MathContext(LIMIT_DIGITS))
                .stripTrailingZeros()
                .toPlainString();
    }

    /// The value as a sentence shows it, times that, with as many decimals as show that it is
    /// below: 39.8 % and not 40 % of a limit of 40 %.
    String shown(double times) {
        int decimals = times > 1 ? 0 : 2;
        while (decimals < DECIMALS_AT_MOST && rounded(value * times, decimals) >= limit * times) {
            decimals++;
        }
        return Lines.say("%." + decimals + "f", value * times);
    }

    private static double rounded(double v, int decimals) {
        double unit = Math.pow(10, decimals);
        return Math.round(v * unit) / unit;
    }
}
