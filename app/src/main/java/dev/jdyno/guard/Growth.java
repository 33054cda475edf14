package dev.jdyno.guard;

import dev.jdyno.history.Entry;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which methods of the application cost a request more than before. With n samples of a method its
/// time has a standard error of 1/√n: smaller differences are left out. Pure.
///
/// @param before what a request cost
record Growth(List<Entry.Part> before) {
    Growth {
        before = methods(before);
    }

    private static List<Entry.Part> methods(List<Entry.Part> parts) {
        return parts.stream().filter(p -> p.kind() == Entry.PartKind.METHOD).toList();
    }

    private static final double SIGMAS = 2.5;
    private static final int MOST = 5;

    List<Guarded.Grew> to(List<Entry.Part> now) {
        return methods(now).stream()
                .filter(this::isMore)
                .map(p ->
                        new Guarded.Grew(
                                p.name(), of(p.name()).map(Entry.Part::ms).orElse(0.0), p.ms()))
                .sorted(Comparator.comparingDouble(Guarded.Grew::byMs).reversed())
                .limit(MOST)
                .toList();
    }

    private Optional<Entry.Part> of(String method) {
        return before.stream().filter(p -> p.name().equals(method)).findFirst();
    }

    private boolean isMore(Entry.Part now) {
        double then = of(now.name()).map(Entry.Part::ms).orElse(0.0);
        double perSample = now.ms() / Math.max(1, now.samples());
        double error =
                Math.hypot(
                        perSample * Math.sqrt(now.samples() + 1.0),
                        of(now.name())
                                .map(p -> p.ms() / Math.sqrt((double) Math.max(1, p.samples())))
                                .orElse(perSample));
        return now.ms() - then > SIGMAS * error;
    }
}
