package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.BusiestMix;
import dev.jdyno.measure.verdict.Headroom.EndpointDemand;
import dev.jdyno.measure.verdict.Headroom.Known;
import dev.jdyno.measure.verdict.Headroom.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The CPU limit by the demands of the endpoints, where their mix varies.
///
/// @param limit limit for the mean mix of all windows
/// @param mix the demands, and the limit for the mix of the busiest minute
record MixedCpu(Known limit, Mix mix) {
    /// Length of the time whose mix is that of the busiest traffic, in seconds. A single window has
    /// too few requests for a mix.
    private static final double BUSIEST_S = 60;

    /// Fits a demand for each class. Empty if the windows do not support it, or if the interval of
    /// the limit is too wide.
    ///
    /// @param cpu use of the CPU in these windows
    static Optional<MixedCpu> of(List<LoadWindow> windows, ResourceUse cpu) {
        double[] used = windows.stream().mapToDouble(LoadWindow::cores).toArray();
        double[] lessFree =
                windows.stream().mapToDouble(w -> w.cores() - w.availableCores()).toArray();
        return EndpointClasses.of(windows).stream()
                .filter(classes -> MixSupport.of(classes, used))
                .findFirst()
                .flatMap(classes ->
                        MixLaw.fit(classes.perS(), used)
                                .flatMap(law ->
                                        MixLaw.fit(classes.perS(), lessFree)
                                                .flatMap(free ->
                                                        new Fit(
                                                                        classes,
                                                                        sampled(classes, law, used),
                                                                        sampled(
                                                                                classes, free,
                                                                                lessFree))
                                                                .of(cpu))));
    }

    private static Sampled sampled(EndpointClasses classes, MixLaw law, double[] used) {
        return new Sampled(
                law,
                Resamples.of(
                        used.length,
                        classes.parameters(),
                        drawn -> law.again(classes.perS(), used, drawn)));
    }

    /// A law and its resamples.
    private record Sampled(MixLaw law, Resamples<MixLaw> again) {}

    /// @param used the law of the cores in use
    /// @param lessFree the law of the cores in use less those that are available, which is 0 at the
    ///   limit
    private record Fit(EndpointClasses classes, Sampled used, Sampled lessFree) {
        Optional<MixedCpu> of(ResourceUse cpu) {
            int windows = classes.seconds().length;
            double[] mix = classes.mix(0, windows);
            return limit(mix)
                    .map(limit -> {
                        Known known =
                                cpu.known(
                                        limit.perS(),
                                        limit.ci95(),
                                        1000 * used.law().demandS(mix),
                                        used.again().ci95(l -> 1000 * l.demandS(mix)),
                                        used.law().base());
                        int[] busiest = busiest();
                        double[] busiestMix = classes.mix(busiest[0], busiest[1]);
                        double busiestPerS = sum(classes.meanPerS(busiest[0], busiest[1]));
                        return new MixedCpu(
                                known,
                                new Mix(
                                        demands(mix, busiestMix),
                                        limit(busiestMix)
                                                .filter(l -> !known.ci95().contains(l.perS()))
                                                .map(l ->
                                                        new BusiestMix(
                                                                busiestPerS, l.perS(), l.ci95()))));
                    });
        }

        /// @param ci95 narrow enough to be given
        private record Limit(double perS, Interval ci95) {}

        private Optional<Limit> limit(double[] mix) {
            double perS = lessFree.law().perSAt(0, mix);
            Interval ci95 = lessFree.again().ci95(l -> l.perSAt(0, mix));
            // NaN if no limit or no width is known
            boolean known =
                    used.law().demandS(mix) > 0 && ci95.width() / 2 / perS <= Headroom.WIDEST;
            return known ? Optional.of(new Limit(perS, ci95)) : Optional.empty();
        }

        private List<EndpointDemand> demands(double[] mix, double[] busiestMix) {
            double[] perS = classes.meanPerS(0, classes.seconds().length);
            List<EndpointDemand> demands = new ArrayList<>();
            for (int c = 0; c < classes.count(); c++) {
                int of = c;
                demands.add(
                        new EndpointDemand(
                                classes.endpoint(c),
                                perS[c],
                                mix[c],
                                busiestMix[c],
                                1000 * used.law().demandS()[c],
                                used.again().ci95(l -> 1000 * l.demandS()[of])));
            }
            return demands;
        }

        /// The first window of the busiest minute, and the one after its last.
        private int[] busiest() {
            double[] seconds = classes.seconds();
            int[] busiest = {0, seconds.length};
            double most = 0;
            int end = 0;
            double covered = 0;
            for (int first = 0; first < seconds.length; first++) {
                while (end < seconds.length && covered < BUSIEST_S) {
                    covered += seconds[end];
                    end++;
                }
                double perS = covered < BUSIEST_S ? 0 : sum(classes.meanPerS(first, end));
                if (perS > most) {
                    most = perS;
                    busiest = new int[] {first, end};
                }
                covered -= seconds[first];
            }
            return busiest;
        }

        private static double sum(double[] values) {
            return Arrays.stream(values).sum();
        }
    }
}
