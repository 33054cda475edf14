package dev.jdyno.capacity.goal;

import java.util.List;

/// The logarithm of the share of misses by queueing as a linear function of the rate. Near the knee
/// it is linear, because the tail of a wait is e^(−a (1 − ρ)). With one trial, the line goes
/// through a share of 1 at saturation.
///
/// @param slope d ln(share of misses) / d rate
/// @param x0 a rate
/// @param y0 ln(share of misses) there
record MissLine(double slope, double x0, double y0) {
    /// Multiple of the goal's allowed share, or its inverse, beyond which a share of misses shows
    /// little of the slope at the goal.
    static final double FAR = 30;

    /// Ratio of the estimated knee to the lowest rate if the queue grew without end in all trials.
    private static final double BELOW_RUNAWAY = 0.93;

    /// Assumed slope in that case, per share of saturation.
    private static final double STEEP = 20;

    /// One trial whose queue did not grow without end.
    record Point(double ratePerS, ShareBounds misses) {}

    double at(double ratePerS) {
        return y0 + (ratePerS - x0) * slope;
    }

    /// @param allowed allowed share of misses
    /// @param lowest lowest rate tested; the saturation throughput if there was none
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
            // the upper bound of the share is positive even for a trial without a miss
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
        // the assumed slope has the weight of two trials; their rates differ by 5 % of saturation,
        // and their misses have an error of about 30 %
        double priorWeight = 0.0025 * saturation * saturation / 0.09 / 4;
        double slope = (xy + priorWeight * prior) / (xx + priorWeight);
        return new MissLine(Math.max(slope, 1 / saturation), x, y);
    }
}
