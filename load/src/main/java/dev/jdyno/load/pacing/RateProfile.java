package dev.jdyno.load.pacing;

import java.util.ArrayList;
import java.util.List;

/// The rate of an open model over a run: constant, in steps, or as a ramp.
///
/// @param ratesPerS the steps, each held equally long; for a ramp, its two ends
public record RateProfile(List<Double> ratesPerS, boolean ramp) {
    public RateProfile {
        ratesPerS = List.copyOf(ratesPerS);
        if (ratesPerS.isEmpty() || (ramp && ratesPerS.size() != 2)) {
            throw new IllegalArgumentException("no rate, or a ramp without two ends");
        }
        for (double rate : ratesPerS) {
            if (!(rate > 0) || Double.isInfinite(rate)) {
                throw new IllegalArgumentException("a rate must be > 0 per second, not " + rate);
            }
        }
    }

    /// Reads `5000` (constant), `100,200,400` (steps) or `100..1000` (ramp); `k` is a thousand.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static RateProfile parse(String text) {
        int dots = text.indexOf("..");
        if (dots > 0) {
            return new RateProfile(
                    List.of(rate(text.substring(0, dots)), rate(text.substring(dots + 2))), true);
        }
        List<Double> steps = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            steps.add(rate(part));
        }
        return new RateProfile(steps, false);
    }

    private static double rate(String text) {
        String t = text.trim().replaceFirst("(/s|rps)$", "");
        double factor = t.endsWith("k") ? 1000 : 1;
        try {
            return factor
                    * Double.parseDouble(t.endsWith("k") ? t.substring(0, t.length() - 1) : t);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "not a rate: '" + text + "' (write 5000, 5k, 100,200,400 or 100..1000)", e);
        }
    }

    /// The rate after `fraction` (0…1) of the run.
    public double at(double fraction) {
        double f = Math.clamp(fraction, 0, 1);
        if (ramp) {
            return ratesPerS.getFirst() + f * (ratesPerS.getLast() - ratesPerS.getFirst());
        }
        return ratesPerS.get(Math.min(ratesPerS.size() - 1, (int) (f * ratesPerS.size())));
    }

    /// The same profile with all rates multiplied by `factor`.
    public RateProfile times(double factor) {
        return new RateProfile(ratesPerS.stream().map(r -> r * factor).toList(), ramp);
    }

    /// The highest rate of the run.
    public double highest() {
        return ratesPerS.stream().mapToDouble(r -> r).max().orElseThrow();
    }
}
