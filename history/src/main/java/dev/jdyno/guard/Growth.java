package dev.jdyno.guard;

import dev.jdyno.compare.CpuShares;
import dev.jdyno.history.Entry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which methods of the application cost a request more than before: CPU time, or bytes that they
/// allocate. Shares of samples divide both in the same way. Pure.
///
/// @param kind of the parts that count
/// @param before what a request cost, by method; the samples of several profiles count together
/// @param cost of a request then: ms of CPU time, or bytes
record Growth(Entry.PartKind kind, List<Entry.Part> before, double cost) {
    private static final int MOST = 5;

    /// Times as much as it may have cost before, from which a method is named that had no part of
    /// its own then.
    private static final double NEW = 2;

    /// What no change of the code can be.
    private static final Set<String> NO_METHODS = Set.of(Entry.PartKind.ELSEWHERE, "not known");

    Growth {
        before = List.copyOf(before);
    }

    /// What a method costs a request.
    record Method(String name, double before, double after) {
        double by() {
            return after - before;
        }
    }

    /// The largest growth first; empty where one of both was not profiled.
    ///
    /// @param now what a request costs
    /// @param costNow of a request
    List<Method> to(List<Entry.Part> now, double costNow) {
        var then = new CpuShares(samples(before), cost);
        var here = new CpuShares(samples(now), costNow);
        if (then.samples().isEmpty()) {
            return List.of();
        }
        return here.samples().keySet().stream()
                .filter(name -> !NO_METHODS.contains(name))
                .map(name -> new Method(name, before(name, then), here.ms(name)))
                .filter(m -> m.by() > 0 && then.differs(m.name(), here))
                .filter(m -> then.samples().containsKey(m.name()) || m.after() > NEW * m.before())
                .sorted(
                        Comparator.comparingDouble(Method::by)
                                .reversed()
                                .thenComparing(Method::name))
                .limit(MOST)
                .toList();
    }

    /// A method without a part of its own may have cost as much as the least that has one, if the
    /// rest is that much.
    private static double before(String name, CpuShares then) {
        if (then.samples().containsKey(name)) {
            return then.ms(name);
        }
        double rest = then.ms(Entry.PartKind.ELSEWHERE);
        return then.samples().keySet().stream()
                .filter(other -> !NO_METHODS.contains(other))
                .mapToDouble(then::ms)
                .reduce(rest, Math::min);
    }

    private Map<String, Long> samples(List<Entry.Part> parts) {
        Map<String, Long> samples = new HashMap<>();
        parts.stream()
                .filter(p -> p.kind() == kind)
                .forEach(p -> samples.merge(p.name(), p.samples(), Long::sum));
        return samples;
    }
}
