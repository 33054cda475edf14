package dev.jdyno.guard;

import dev.jdyno.compare.CpuShares;
import dev.jdyno.history.Entry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the application's methods whose cost per request grew. The cost is CPU time or allocated
/// bytes; a method's share of the samples is its share of the cost. Pure.
///
/// @param kind kind of the parts that count
/// @param before former samples by method; samples of several profiles are added up
/// @param cost former cost of a request: ms of CPU time, or bytes
record Growth(Entry.PartKind kind, List<Entry.Part> before, double cost) {
    private static final int MAX = 5;

    /// Minimum growth of a method that the former profile does not list: its cost now ÷ the most
    /// that it may have cost before.
    private static final double NEW = 2;

    /// Names in profiles that are not methods.
    private static final Set<String> NO_METHODS = Set.of(Entry.PartKind.ELSEWHERE, "not known");

    Growth {
        before = List.copyOf(before);
    }

    /// Cost of a method per request, before and after.
    record Method(String name, double before, double after) {
        double by() {
            return after - before;
        }
    }

    /// Returns the methods that grew, the largest growth first; empty if there is no former
    /// profile.
    ///
    /// @param now samples by method now
    /// @param costNow cost of a request now
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
                .limit(MAX)
                .toList();
    }

    /// Former cost of a method. A method that the former profile does not list may have cost as
    /// much as the smallest listed method. It cannot have cost more than all unlisted methods
    /// together.
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
