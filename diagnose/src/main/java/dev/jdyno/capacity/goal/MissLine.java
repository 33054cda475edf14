package dev.jdyno.capacity.goal;

import java.util.List;

/// ln(misses by queueing) over the rate is a line near the knee, because the tail of a wait is
/// e^(−a (1 − ρ)). With one trial, the line goes through misses = 1 at saturation.
///
/// @param slope d ln(share of misses) / d rate
/// @param x0 a rate
/// @param y0 ln(share of misses) there
record MissLine(double slope, double x0, double y0) {
    /// Multiple of the goal, in either direction, beyond which a share of misses shows little of
    /// the slope at the goal.
    static final double FAR = 30;

    /// Factor on the lowest rate for the next trial if the queue ran away in all trials.
    private static final double BELOW_RUNAWAY = 0.93;

    /// The slope in that case, where the line is unknown, per share of saturation.
    private static final double STEEP = 20;

    /// One trial whose queue did not run away.
    record Point(double ratePerS, ShareBounds misses) {}

    double at(double ratePerS) {
        return y0 + (ratePerS - x0) * slope;
    }

    /// @param allowed allowed share of misses
    /// @param lowest lowest rate driven; the saturation if there was none
    static MissLine through(
            List<Point> trials, double allowed, double saturation, double z, double lowest) {
        double wsum = 0;
        double x = 0;
        double y = 0;
        double[][] points = new double[trials.size()][];
        int used = 0;
        for (Point p : trials) {
            ShareBounds b = p.misses();
            if (b.share() > allowed * FAR) {
                continue;
            }
            // a trial without a miss still gives an upper bound
            double share = Math.max(b.share(), b.upper() / 4);
            double sigma = Math.log(Math.max(b.upper(), share * 1.05) / share) / z;
            double far = Math.log(share / allowed);
            double w = 1 / (sigma * sigma + 0.1 * far * far + 0.01);
            points[used++] = new double[] {p.ratePerS(), Math.log(share), w};
            wsum += w;
            x += w * p.ratePerS();
            y += w * Math.log(share);
        }
        if (used == 0) {
            return new MissLine(
                    STEEP / saturation,
                    BELOW_RUNAWAY * Math.min(lowest, saturation),
                    Math.log(allowed));
        }
        x /= wsum;
        y /= wsum;
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < used; i++) {
            double[] p = points[i];
            xx += p[2] * (p[0] - x) * (p[0] - x);
            xy += p[2] * (p[0] - x) * (p[1] - y);
        }
        double prior = Math.max(1, -y) / Math.max(0.02 * saturation, saturation - x);
        // the prior slope counts like a pair of trials 5 % apart with ±30 %
        double priorWeight = 0.0025 * saturation * saturation / 0.09 / 4;
        double slope = (xy + priorWeight * prior) / (xx + priorWeight);
        return new MissLine(Math.max(slope, 1 / saturation), x, y);
    }
}
