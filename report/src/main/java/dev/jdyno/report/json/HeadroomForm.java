package dev.jdyno.report.json;

import dev.jdyno.measure.verdict.Headroom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The headroom in `jdyno/diagnosis/1`: the keys of the CPU's limit, then those of all resources.
final class HeadroomForm {
    private static final Keys<Headroom.Known> CPU =
            Keys.of(
                    Headroom.Known.class,
                    "limitPerS ci95 demandMs demandCi95 baseCores=base availableCores=available"
                            + " windowS perS busiestPerS timesBusiest highestUtilisation windows");

    private static final Keys<Headroom.Unknown> UNKNOWN =
            Keys.of(Headroom.Unknown.class, "reason=reason.key watchS atLeastPerS");

    private static final Keys<Headroom.Known> POOL =
            Keys.of(
                    Headroom.Known.class,
                    "limitPerS ci95 heldMs=demandMs heldCi95=demandCi95 baseInUse=base timesNow"
                            + " timesBusiest");

    private static final Keys<Headroom.Known> DISK =
            Keys.of(
                    Headroom.Known.class,
                    "limitPerS ci95 busyMs=demandMs busyCi95=demandCi95 baseBusy=base timesNow"
                            + " timesBusiest");

    private static final Keys<Headroom> ALL =
            Keys.of(Headroom.class, "mix first bound")
                    .and("pools", h -> h.pools().stream().map(HeadroomForm::pool).toList())
                    .and("disks", h -> h.disks().stream().map(HeadroomForm::disk).toList())
                    .and("noLimitSeen times");

    static final List<Keys<?>> PARTS =
            List.of(
                    Keys.of(
                            Headroom.First.class,
                            "kind=resource.kind.key name=resource.name"
                                    + " limitPerS=known.limitPerS ci95=known.ci95"
                                    + " timesNow=known.timesNow"
                                    + " timesBusiest=known.timesBusiest maybe raise"),
                    Keys.of(
                            Headroom.Bound.class,
                            "kind=resource.kind.key name=resource.name"
                                    + " limitPerS=atLeast.limitPerS timesNow=atLeast.timesNow"),
                    Keys.of(Headroom.Resource.class, "kind=kind.key name"),
                    Keys.of(Headroom.Raise.class, "size limitPerS next"),
                    Keys.of(Headroom.Mix.class, "classes busiest"),
                    Keys.of(
                            Headroom.EndpointDemand.class,
                            "endpoint perS share busiestShare cpuMs cpuCi95"),
                    Keys.of(Headroom.BusiestMix.class, "perS limitPerS ci95"),
                    Keys.of(Headroom.NoLimitSeen.class)
                            .and(
                                    "resources",
                                    n -> n.resources().stream().map(Headroom.Hidden::key).toList())
                            .and("below"),
                    Keys.of(Headroom.TimeAt.class, "share perS rtMs"));

    private HeadroomForm() {}

    static Map<String, Object> values(Headroom headroom) {
        Map<String, Object> values =
                new LinkedHashMap<>(
                        switch (headroom.cpu()) {
                            case Headroom.Known k -> CPU.values(k);
                            case Headroom.Unknown u -> UNKNOWN.values(u);
                        });
        values.putAll(ALL.values(headroom));
        return values;
    }

    private static Map<String, Object> pool(Headroom.PoolLimit pool) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", pool.name());
        values.put("library", pool.library());
        values.put("size", pool.size());
        values.put("highestUtilisation", pool.highestUtilisation());
        putLimit(values, POOL, pool.limit());
        return values;
    }

    private static Map<String, Object> disk(Headroom.DiskLimit disk) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("device", disk.device());
        values.put("highestUtilisation", disk.highestUtilisation());
        putLimit(values, DISK, disk.limit());
        return values;
    }

    /// Adds the keys of a known and of an unknown limit; those that do not apply are null.
    private static void putLimit(
            Map<String, Object> values, Keys<Headroom.Known> keys, Headroom.Limit limit) {
        switch (limit) {
            case Headroom.Known k -> {
                values.putAll(keys.values(k));
                UNKNOWN.names().forEach(key -> values.put(key, Optional.empty()));
            }
            case Headroom.Unknown u -> {
                keys.names().forEach(key -> values.put(key, Optional.empty()));
                values.putAll(UNKNOWN.values(u));
            }
        }
    }
}
