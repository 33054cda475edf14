package dev.jdyno.instance;

import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.Resource;
import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.service.PoolProperty;
import dev.jdyno.plan.Knob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Computes the sizes of the pools for the tested rate, from a test in which their use was seen.
///
/// A rate λ keeps λ · D places in use, where D is the time for which a request holds places: the
/// time of one use × the uses of a request, or the mean number in use ÷ the throughput of the test
/// (Little's law, F2). Of these places at most {@link #MAX_USE} may be in use, and 99 % of the
/// requests may wait no longer than the goal leaves (M/G/k). The smallest such number is proposed.
final class PoolModel {
    /// Highest share of the places in use. Above it, the wait depends more on how the requests
    /// arrive than on the number of places.
    private static final double MAX_USE = 0.9;

    /// Fewest places: with one, requests run one after the other.
    private static final int MIN_PLACES = 2;

    /// Part of the strictest limit that the wait may take even if the test left no more.
    private static final double MIN_WAIT = 0.1;

    private final SizeWish wish;
    private final PoolKnobs knobs;

    PoolModel(SizeWish wish, List<Knob> knobs) {
        this.wish = wish;
        this.knobs = new PoolKnobs(knobs);
    }

    /// The needs of all pools that were seen in a test.
    List<PoolNeed> needs(SizeTest test) {
        return test.pools()
                .map(seen ->
                        seen.pools().stream()
                                .map(p -> need(p, test, seen.perS(), seen.framework()))
                                .toList())
                .map(PoolModel::onePoolForEachSetting)
                .orElse(List.of());
    }

    /// Keeps the setting of several pools for the one that needs most places. A test with the
    /// smaller number of another one would say nothing of that.
    private static List<PoolNeed> onePoolForEachSetting(List<PoolNeed> needs) {
        Map<String, PoolNeed> most = new HashMap<>();
        for (PoolNeed need : needs) {
            need.setBy()
                    .ifPresent(s -> most.merge(s, need, (a, b) -> b.places() > a.places() ? b : a));
        }
        return needs.stream()
                .map(n ->
                        n.setBy().map(most::get).filter(m -> !m.equals(n)).isPresent()
                                ? n.shared()
                                : n)
                .toList();
    }

    private PoolNeed need(
            PoolDemand pool, SizeTest test, double perS, Optional<Framework> framework) {
        Optional<Double> uses = pool.usesPerS().filter(_ -> perS > 0).map(n -> n / perS);
        int least = places(pool.ci95().lo(), test, perS, uses);
        int computed = places(pool.ci95().hi(), test, perS, uses);
        // a size with which the goals held needs no computed proof
        int most =
                pool.size()
                        .filter(_ -> test.isGood())
                        .map(n -> (int) Math.min(computed, Math.round(n)))
                        .orElse(computed);
        Optional<String> property = PoolProperty.of(pool.library(), pool.pool(), framework);
        Optional<Knob> knob = knobs.of(pool, property);
        Optional<Integer> settable =
                knob.filter(_ -> most < PoolNeed.MAX_PLACES)
                        .flatMap(k -> PoolKnobs.atLeast(k, most));
        int places = settable.orElse(most);
        return new PoolNeed(
                pool,
                uses,
                Math.min(least, most),
                places,
                new PoolNeed.Setting(
                        property.or(() ->
                                PoolProperty.own(pool.library())
                                        .map(e -> e.getKey() + "'s " + e.getValue())),
                        property.isPresent(),
                        settable.flatMap(_ -> knob).map(Knob::name),
                        settable.flatMap(n -> knob.map(k -> k.to(Integer.toString(n)).written()))),
                settable.flatMap(n -> knob.flatMap(k -> PoolKnobs.below(k, n))),
                settable.isPresent() ? Known.NOT_TESTED : Known.NO_KNOB,
                settable.isPresent() ? Known.NOT_TESTED : Known.NO_KNOB);
    }

    /// @param inUse an end of the interval of the number in use in the test
    private int places(double inUse, SizeTest test, double perS, Optional<Double> uses) {
        double rate = wish.testedRatePerS();
        double inUseThere = perS > 0 ? inUse * rate / perS : inUse;
        // if only some requests use the pool, their wait counts, not that of all
        double usesPerS = rate * Math.min(1, uses.orElse(1.0));
        double ms = 1000 * inUseThere / usesPerS;
        double allowed = allowedMs(test);
        double used = Math.clamp(inUseThere / MAX_USE, MIN_PLACES, PoolNeed.MAX_PLACES);
        int places = (int) Math.ceil(used);
        while (places < PoolNeed.MAX_PLACES && ms > 0 && waitMs(ms, places, usesPerS) > allowed) {
            places++;
        }
        return places;
    }

    /// The wait for a place that 99 % do not exceed, in ms.
    private static double waitMs(double ms, int places, double perS) {
        RequestPath path = RequestPath.serial(List.of(new Resource("pool", ms, places)), List.of());
        return OpenQueue.of(path)
                .at(perS)
                .map(p -> p.p99Ms() - ms)
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// The time that the strictest limit leaves for a wait.
    private double allowedMs(SizeTest test) {
        double limit = wish.strictestLimitMs();
        // the response times of a bad test have waits in them that the proposal ends
        double now = test.figures().map(f -> test.isGood() ? f.rtP99Ms() : f.aloneMs()).orElse(0.0);
        return Math.max(limit - now, MIN_WAIT * limit);
    }
}
