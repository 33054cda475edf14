package dev.jdyno.guard;

import dev.jdyno.compare.CpuShares;
import dev.jdyno.history.Entry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which methods of the application cost a request more than before. Pure.
///
/// @param before what a request cost, by method; the samples of several profiles count together
/// @param cpuMs CPU time of a request then
record Growth(List<Entry.Part> before, double cpuMs) {
    private static final int MOST = 5;

    Growth {
        before = List.copyOf(before);
    }

    /// Empty where one of both was not profiled.
    ///
    /// @param now what a request costs
    /// @param nowCpuMs CPU time of a request now
    List<Guarded.Grew> to(List<Entry.Part> now, double nowCpuMs) {
        var then = new CpuShares(samples(before), cpuMs);
        var here = new CpuShares(samples(now), nowCpuMs);
        if (then.samples().isEmpty()) {
            return List.of();
        }
        return here.samples().keySet().stream()
                .filter(name -> here.ms(name) > then.ms(name) && then.differs(name, here))
                .map(name -> new Guarded.Grew(name, then.ms(name), here.ms(name)))
                .sorted(
                        Comparator.comparingDouble(Guarded.Grew::byMs)
                                .reversed()
                                .thenComparing(Guarded.Grew::method))
                .limit(MOST)
                .toList();
    }

    private static Map<String, Long> samples(List<Entry.Part> parts) {
        Map<String, Long> samples = new HashMap<>();
        parts.stream()
                .filter(p -> p.kind() == Entry.PartKind.METHOD)
                .forEach(p -> samples.merge(p.name(), p.samples(), Long::sum));
        return samples;
    }
}
