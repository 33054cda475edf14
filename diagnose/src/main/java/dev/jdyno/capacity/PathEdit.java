package dev.jdyno.capacity;

import dev.jdyno.capacity.RequestPath.Held;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Changes the path of a model. A change that does not fit leaves the model unchanged and adds the
/// reason to the problems.
record PathEdit(ServiceModel model, Problems problems) {
    private static final String CORES = "cores";
    private static final String POOL = "pool";

    /// Maximum share of a request's CPU that collector stops can take. The rest is the request's
    /// own CPU.
    private static final double MAX_STOPPED = 0.9;

    /// Names of calls that need a connection from a pool.
    private static final List<String> POOLED = List.of("pool", "database", "downstream");

    ServiceModel scale(WhatIfChange.Scale change) {
        Predicate<String> hit = named(change.name());
        List<Resource> resources = new ArrayList<>();
        for (Resource r : model.path().resources()) {
            double fixed = r.name().equals(ServiceModel.CPU) ? model.othersCpuMs() : r.fixedMs();
            double ms = scaled(r.name(), r.ms() - fixed, hit, change.factor());
            // a lock without a hold time has no hand-over either
            if (ms > 0 || (r.name().equals(ServiceModel.CPU) && fixed > 0)) {
                resources.add(r.withMs(fixed + ms));
            }
        }
        List<Delay> delays =
                model.path().delays().stream()
                        .map(d ->
                                new Delay(d.name(), scaled(d.name(), d.ms(), hit, change.factor())))
                        .toList();
        List<Held> held =
                model.path().held().stream()
                        .map(h ->
                                hit.test(h.part()) || hit.test(h.by())
                                        ? new Held(h.part(), h.by(), h.ms() * change.factor())
                                        : h)
                        .filter(h -> h.ms() > 0)
                        .toList();
        String text = change.name() + "*" + RequestPath.number(change.factor());
        if (model.path().names().noneMatch(hit)) {
            return unknown(text, change.name());
        }
        if (resources.isEmpty()) {
            problems.add(text, "takes away the only thing that limits", "leave something to limit");
            return model;
        }
        return model.withPath(new RequestPath(resources, delays, model.path().parallel(), held));
    }

    /// Returns the changed time of one resource or delay. A request uses other resources while it
    /// holds a lock or a pool's connection. If the hold time is scaled, the time at these resources
    /// is scaled, too. If the time at one of them is scaled, the hold time changes by as much.
    private double scaled(String name, double ms, Predicate<String> hit, double factor) {
        if (hit.test(name)) {
            return ms * factor;
        }
        double along =
                model.path().held().stream()
                        .filter(h ->
                                (h.part().equals(name) && hit.test(h.by()))
                                        || (h.by().equals(name) && hit.test(h.part())))
                        .mapToDouble(Held::ms)
                        .sum();
        return Math.max(0, ms - (along + stoppedMs(name, ms, hit)) * (1 - factor));
    }

    /// Returns the CPU time lost by collector stops. Requests cannot use any core during a stop,
    /// even if the collector uses only some of them. So a stop costs its length × the number of
    /// cores.
    private double stoppedMs(String name, double cpuMs, Predicate<String> hit) {
        if (!name.equals(ServiceModel.CPU) || !hit.test(Demands.GC)) {
            return 0;
        }
        double units = 0;
        double stopMs = 0;
        for (Resource r : model.path().resources()) {
            units += r.name().equals(ServiceModel.CPU) ? r.units() : 0;
            stopMs += r.name().equals(Demands.GC) ? r.ms() : 0;
        }
        return Math.min(units * stopMs, MAX_STOPPED * cpuMs);
    }

    ServiceModel units(WhatIfChange.Units change) {
        String text = change.name() + "=" + RequestPath.number(change.units());
        if (change.name().equals(POOL)) {
            return pool(text, change.units());
        }
        Predicate<String> hit =
                change.name().equals(CORES)
                        ? n -> n.equals(ServiceModel.CPU)
                        : named(change.name());
        if (model.path().resources().stream().noneMatch(r -> hit.test(r.name()))) {
            return unknown(text, change.name().equals(CORES) ? ServiceModel.CPU : change.name());
        }
        // the target could never use some of the measured cores, so it cannot use the same share of
        // the new ones
        double cores = model.measured().map(ServiceModel.Measured::cores).orElse(0.0);
        List<Resource> resources =
                model.path().resources().stream()
                        .map(r ->
                                !hit.test(r.name())
                                        ? r
                                        : change.name().equals(CORES) && cores > 0
                                                ? r.withUnits(change.units() * r.units() / cores)
                                                : r.withUnits(change.units()))
                        .toList();
        return model.withPath(
                new RequestPath(
                        resources,
                        model.path().delays(),
                        model.path().parallel(),
                        model.path().held()));
    }

    /// Sets the size of a connection pool. If the pool was measured as the limit, its units change.
    /// Otherwise the calls that need a connection become limited.
    private ServiceModel pool(String text, double units) {
        Predicate<String> pooled = n -> POOLED.stream().anyMatch(p -> named(p).test(n));
        boolean measured =
                model.path().resources().stream().anyMatch(r -> named(POOL).test(r.name()));
        Predicate<String> changed = measured ? named(POOL) : pooled;
        List<Resource> resources = new ArrayList<>();
        for (Resource r : model.path().resources()) {
            resources.add(changed.test(r.name()) ? r.withUnits(units) : r);
        }
        List<Delay> delays = new ArrayList<>();
        List<Set<String>> groups = new ArrayList<>(model.path().parallel());
        for (Delay d : model.path().delays()) {
            if (!changed.test(d.name()) || d.ms() <= 0 || model.path().isHeld(d)) {
                delays.add(d);
                continue;
            }
            Optional<Set<String>> group =
                    groups.stream().filter(g -> g.contains(d.name())).findFirst();
            if (group.isEmpty()) {
                resources.add(new Resource(d.name(), d.ms(), units));
            } else if (longest(group.get()).equals(d.name())) {
                // the other waits of the group overlap with this one, so they need the pool for no
                // additional time
                resources.add(new Resource(d.name(), d.ms(), units));
                groups.remove(group.get());
                delays.removeIf(o -> group.get().contains(o.name()));
            } else if (!changed.test(longest(group.get()))) {
                problems.add(
                        text,
                        "'" + d.name() + "' overlaps with a longer call that needs no pool",
                        "leave parallel: or pool= out");
                return model;
            }
        }
        boolean found =
                measured
                        || model.path().resources().stream().anyMatch(r -> pooled.test(r.name()))
                        || delays.size() < model.path().delays().size();
        if (!found) {
            problems.add(
                    text,
                    "no call that a pool could stand before is known (pool, database, downstream)",
                    "name the resource: NAME=UNITS with one of "
                            + String.join(", ", model.names()));
            return model;
        }
        return model.withPath(new RequestPath(resources, delays, groups, model.path().held()));
    }

    private String longest(Set<String> group) {
        return model.path().delays().stream()
                .filter(d -> group.contains(d.name()))
                .max(Comparator.comparingDouble(Delay::ms))
                .map(Delay::name)
                .orElseThrow();
    }

    ServiceModel parallel(WhatIfChange.Parallel change) {
        String text = "parallel:" + String.join(",", change.names());
        Set<String> known =
                new LinkedHashSet<>(
                        model.path().delays().stream()
                                .filter(d -> !model.path().isHeld(d))
                                .map(Delay::name)
                                .toList());
        for (String name : change.names()) {
            if (!known.contains(name)) {
                problems.add(
                        text,
                        "no delay is called '" + name + "'",
                        "the delays are: " + String.join(", ", known));
                return model;
            }
            if (model.path().parallel().stream().anyMatch(g -> g.contains(name))) {
                problems.add(text, "'" + name + "' is parallel already", "name it once");
                return model;
            }
        }
        List<Set<String>> groups = new ArrayList<>(model.path().parallel());
        groups.add(change.names());
        return model.withPath(
                new RequestPath(
                        model.path().resources(),
                        model.path().delays(),
                        groups,
                        model.path().held()));
    }

    private ServiceModel unknown(String text, String name) {
        problems.add(
                text,
                "the service has no '" + name + "'",
                "it has: " + String.join(", ", model.names()));
        return model;
    }

    private static Predicate<String> named(String name) {
        ResourceName written = ResourceName.of(name);
        return n -> written.means(ResourceName.of(n));
    }
}
