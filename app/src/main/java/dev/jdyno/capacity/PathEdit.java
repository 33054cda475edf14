package dev.jdyno.capacity;

import dev.jdyno.measure.Problems;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Changes the path of a model. A change that does not fit leaves the model as it is and says why.
record PathEdit(ServiceModel model, Problems problems) {
    private static final String CORES = "cores";
    private static final String POOL = "pool";

    /// Names of calls that a connection pool stands before.
    private static final List<String> POOLED = List.of("pool", "database", "downstream");

    ServiceModel scale(Change.Scale change) {
        Predicate<String> hit = named(change.name());
        List<Resource> resources = new ArrayList<>();
        for (Resource r : model.path().resources()) {
            double fixed = r.name().equals(ServiceModel.CPU) ? model.othersCpuMs() : 0;
            double ms = hit.test(r.name()) ? fixed + (r.ms() - fixed) * change.factor() : r.ms();
            if (ms > 0) {
                resources.add(new Resource(r.name(), ms, r.units()));
            }
        }
        List<Delay> delays =
                model.path().delays().stream()
                        .map(d ->
                                hit.test(d.name())
                                        ? new Delay(d.name(), d.ms() * change.factor())
                                        : d)
                        .toList();
        String text = change.name() + "*" + RequestPath.number(change.factor());
        if (model.path().names().noneMatch(hit)) {
            return unknown(text, change.name());
        }
        if (resources.isEmpty()) {
            problems.add(text, "takes away the only thing that limits", "leave something to limit");
            return model;
        }
        return model.withPath(new RequestPath(resources, delays, model.path().parallel()));
    }

    ServiceModel units(Change.Units change) {
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
        // of measured cores a part was never to be had: the same share of the new ones is not
        // either
        double cores = model.measured().map(ServiceModel.Measured::cores).orElse(0.0);
        List<Resource> resources =
                model.path().resources().stream()
                        .map(r ->
                                !hit.test(r.name())
                                        ? r
                                        : change.name().equals(CORES) && cores > 0
                                                ? new Resource(
                                                        r.name(),
                                                        r.ms(),
                                                        change.units() * r.units() / cores)
                                                : new Resource(r.name(), r.ms(), change.units()))
                        .toList();
        return model.withPath(
                new RequestPath(resources, model.path().delays(), model.path().parallel()));
    }

    /// A pool of so many connections: the calls behind it are no longer unlimited.
    private ServiceModel pool(String text, double units) {
        List<Resource> resources = new ArrayList<>();
        List<Delay> delays = new ArrayList<>();
        boolean found = false;
        for (Resource r : model.path().resources()) {
            boolean pooled = POOLED.stream().anyMatch(p -> named(p).test(r.name()));
            found |= pooled;
            resources.add(pooled ? new Resource(r.name(), r.ms(), units) : r);
        }
        for (Delay d : model.path().delays()) {
            boolean pooled = d.ms() > 0 && POOLED.stream().anyMatch(p -> named(p).test(d.name()));
            found |= pooled;
            if (pooled) {
                resources.add(new Resource(d.name(), d.ms(), units));
            } else {
                delays.add(d);
            }
        }
        if (!found) {
            problems.add(
                    text,
                    "no call that a pool could stand before is known (pool, database, downstream)",
                    "name the resource: NAME=UNITS with one of "
                            + String.join(", ", model.names()));
            return model;
        }
        Set<String> left = new LinkedHashSet<>(delays.stream().map(Delay::name).toList());
        List<Set<String>> groups = new ArrayList<>();
        for (Set<String> g : model.path().parallel()) {
            Set<String> still = new LinkedHashSet<>(g);
            still.retainAll(left);
            if (still.size() > 1) {
                groups.add(still);
            }
        }
        return model.withPath(new RequestPath(resources, delays, groups));
    }

    ServiceModel parallel(Change.Parallel change) {
        String text = "parallel:" + String.join(",", change.names());
        Set<String> known =
                new LinkedHashSet<>(model.path().delays().stream().map(Delay::name).toList());
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
                new RequestPath(model.path().resources(), model.path().delays(), groups));
    }

    private ServiceModel unknown(String text, String name) {
        problems.add(
                text,
                "the service has no '" + name + "'",
                "it has: " + String.join(", ", model.names()));
        return model;
    }

    private static Predicate<String> named(String name) {
        return n -> n.equals(name) || n.startsWith(name + ":");
    }
}
