package dev.jdyno.guard;

import dev.jdyno.history.Entry;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which methods of the application cost a request more than before. Pure.
///
/// A profile says well which share of CPU time a method has, and badly how much time that is: few
/// samples of a short window. So its shares divide the CPU time per request that was measured
/// beside it. With n samples a share p has a standard error of √(p (1 - p) / n).
///
/// @param before what a request cost, by method
/// @param cpuMs CPU time of a request then
record Growth(List<Entry.Part> before, double cpuMs) {
    private static final double SIGMAS = 2.5;
    private static final int MOST = 5;

    Growth {
        before = methods(before);
    }

    private static List<Entry.Part> methods(List<Entry.Part> parts) {
        return parts.stream().filter(p -> p.kind() == Entry.PartKind.METHOD).toList();
    }

    /// @param now what a request costs
    /// @param nowCpuMs CPU time of a request now
    List<Guarded.Grew> to(List<Entry.Part> now, double nowCpuMs) {
        var then = new Shares(before, cpuMs);
        var here = new Shares(methods(now), nowCpuMs);
        return methods(now).stream()
                .map(Entry.Part::name)
                .filter(name ->
                        here.ms(name) - then.ms(name)
                                > SIGMAS * Math.hypot(here.error(name), then.error(name)))
                .map(name -> new Guarded.Grew(name, then.ms(name), here.ms(name)))
                .sorted(Comparator.comparingDouble(Guarded.Grew::byMs).reversed())
                .limit(MOST)
                .toList();
    }

    /// The methods of one profile, as parts of the CPU time of a request.
    private record Shares(List<Entry.Part> parts, double cpuMs) {
        private Optional<Entry.Part> of(String method) {
            return parts.stream().filter(p -> p.name().equals(method)).findFirst();
        }

        private double all() {
            return parts.stream().mapToDouble(Entry.Part::ms).sum();
        }

        double ms(String method) {
            return of(method).map(p -> p.ms() / all() * cpuMs).orElse(0.0);
        }

        /// That of a method which no sample found is that of one sample.
        double error(String method) {
            double samples = parts.stream().mapToDouble(Entry.Part::samples).sum();
            double share = of(method).map(p -> p.ms() / all()).orElse(1 / Math.max(1, samples));
            return cpuMs * Math.sqrt(share * (1 - share) / Math.max(1, samples));
        }
    }
}
