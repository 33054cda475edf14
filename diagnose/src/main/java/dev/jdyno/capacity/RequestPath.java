package dev.jdyno.capacity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The path of one request through the service: the resources that it occupies, its waits, and the
/// waits that overlap.
///
/// @param parallel groups of delays, by name, that run in parallel. A group takes as long as its
///   longest member. All other parts are sequential (the critical path, as in F1 and experiment
///   E13).
/// @param held times that pass while another resource is occupied. They are part of that resource's
///   time and are not added to it
public record RequestPath(
        List<Resource> resources, List<Delay> delays, List<Set<String>> parallel, List<Held> held) {

    /// The part of `part`'s time that passes while `by` is occupied: CPU used or a call made under
    /// a lock, a query on a pool's connection.
    public record Held(String part, String by, double ms) {}

    public RequestPath {
        resources = List.copyOf(resources);
        delays = List.copyOf(delays);
        held = List.copyOf(held);
        parallel = parallel.stream().map(g -> (Set<String>) new LinkedHashSet<>(g)).toList();
        if (resources.isEmpty()) {
            throw new IllegalArgumentException("a request that occupies nothing has no limit");
        }
    }

    public RequestPath(List<Resource> resources, List<Delay> delays, List<Set<String>> parallel) {
        this(resources, delays, parallel, List.of());
    }

    /// A path whose parts are all sequential.
    public static RequestPath serial(List<Resource> resources, List<Delay> delays) {
        return new RequestPath(resources, delays, List.of());
    }

    /// T_total, the response time with no other request in the service, in ms.
    public double totalMs() {
        double occupied = resources.stream().mapToDouble(this::ownMs).sum();
        double alone = delays.stream().filter(d -> !overlaps(d)).mapToDouble(this::ownMs).sum();
        double overlapped = parallel.stream().mapToDouble(g -> longest(g)).sum();
        return occupied + alone + overlapped;
    }

    /// The resource with the largest D / P. It is saturated first when the load rises.
    public Resource bottleneck() {
        Resource worst = resources.getFirst();
        for (Resource r : resources) {
            if (r.ms() / r.units() > worst.ms() / worst.units()) {
                worst = r;
            }
        }
        return worst;
    }

    /// Returns the sum for `totalMs` as text: `20 + 80`, `25 + max(50, 25, 100)`.
    public String totalFormula() {
        List<String> terms = new ArrayList<>();
        resources.stream()
                .map(this::ownMs)
                .filter(ms -> ms > 0)
                .map(RequestPath::number)
                .forEach(terms::add);
        delays.stream()
                .filter(d -> !overlaps(d))
                .filter(d -> !isHeld(d))
                .map(d -> number(d.ms()))
                .forEach(terms::add);
        for (Set<String> group : parallel) {
            terms.add(
                    delays.stream()
                            .filter(d -> group.contains(d.name()))
                            .map(d -> number(d.ms()))
                            .collect(Collectors.joining(", ", "max(", ")")));
        }
        return String.join(" + ", terms);
    }

    /// Returns the part of a resource's time during which the request occupies no other resource.
    double ownMs(Resource r) {
        return Math.max(0, r.ms() - heldMs(r.name()));
    }

    private double ownMs(Delay d) {
        return Math.max(0, d.ms() - heldMs(d.name()));
    }

    boolean isHeld(Delay d) {
        return heldMs(d.name()) > 0;
    }

    private double heldMs(String part) {
        return held.stream().filter(h -> h.part().equals(part)).mapToDouble(Held::ms).sum();
    }

    private boolean overlaps(Delay d) {
        return parallel.stream().anyMatch(g -> g.contains(d.name()));
    }

    private double longest(Set<String> group) {
        return delays.stream()
                .filter(d -> group.contains(d.name()))
                .mapToDouble(Delay::ms)
                .max()
                .orElse(0);
    }

    Stream<String> names() {
        return Stream.concat(
                resources.stream().map(Resource::name), delays.stream().map(Delay::name));
    }

    /// Formats a number with at most two decimals, without trailing zeros. Numbers below 0.1 have
    /// three significant digits.
    public static String number(double v) {
        double size = Math.abs(v);
        int decimals = size >= 0.1 || size < 1e-9 ? 2 : 2 - (int) Math.floor(Math.log10(size));
        String digits = String.format(Locale.ROOT, "%." + decimals + "f", v);
        return digits.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
