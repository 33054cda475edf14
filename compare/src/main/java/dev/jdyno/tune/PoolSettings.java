package dev.jdyno.tune;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.ForeignYaml;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/// Maps pools to the properties that set their sizes. The known ones are in `pools.yaml`, a
/// resource next to this class; users can add their own.
public final class PoolSettings {
    private static final String KNOWN = "pools.yaml";

    /// @param pool part of the pool's name, in any case
    /// @param preset default size, used if the pool's size is unknown; 0 without a default
    /// @param framework name prefix of the classes that read the property; empty for any
    private record Setting(String pool, String property, double preset, String framework) {}

    private final List<Setting> all;

    private PoolSettings(List<Setting> all) {
        this.all = List.copyOf(all);
    }

    /// @param more the user's file, whose settings take precedence
    /// @throws UserError if the file cannot be read
    public static PoolSettings read(Optional<Path> more) {
        List<Setting> all = new ArrayList<>();
        if (more.isPresent()) {
            Path file = more.get();
            try {
                all.addAll(settings(ForeignText.bytes(file)));
            } catch (IOException | IllegalArgumentException why) {
                throw UserError.usage(
                                "cannot read the pools in " + file,
                                String.valueOf(why.getMessage()),
                                "write a list of {pool: part of its name, property: its.size}")
                        .causedBy(why);
            }
        }
        try (InputStream in = PoolSettings.class.getResourceAsStream(KNOWN)) {
            if (in == null) {
                throw new IllegalStateException(KNOWN + " is not in the jar");
            }
            all.addAll(settings(in.readAllBytes()));
        } catch (IOException own) {
            throw new UncheckedIOException(own);
        }
        return new PoolSettings(all);
    }

    private static List<Setting> settings(byte[] yaml) throws IOException {
        List<Setting> settings = new ArrayList<>();
        for (Object document : ForeignYaml.trees(yaml)) {
            if (!(document instanceof List<?> list)) {
                throw new IllegalArgumentException("it is no list");
            }
            for (Object item : list) {
                if (!(item instanceof Map<?, ?> map)
                        || !(map.get("pool") instanceof String pool)
                        || !(map.get("property") instanceof String property)) {
                    throw new IllegalArgumentException(item + " has no pool and property");
                }
                Object preset = map.get("preset");
                Object framework = map.get("framework");
                settings.add(
                        new Setting(
                                pool.toLowerCase(Locale.ROOT),
                                property,
                                preset == null ? 0 : Double.parseDouble(preset.toString()),
                                framework == null ? "" : framework.toString()));
            }
        }
        return settings;
    }

    /// Returns the property that sets a pool's size, with the new size; empty if none is known.
    ///
    /// @param seen present size; empty if unknown
    /// @param runs whether samples show code of the service whose names begin with a prefix
    List<Change.Launch> of(Change.PoolSize pool, OptionalDouble seen, Predicate<String> runs) {
        String name = pool.name().toLowerCase(Locale.ROOT);
        return all.stream()
                .filter(s -> name.contains(s.pool()))
                .filter(s -> s.framework().isEmpty() || runs.test(s.framework()))
                .findFirst()
                .flatMap(s -> size(pool.to(), seen, s).map(v -> changed(s, v)))
                .stream()
                .toList();
    }

    private static Change.Launch changed(Setting setting, String size) {
        return new Change.SystemProperty(setting.property(), size);
    }

    private static Optional<String> size(
            Change.Amount amount, OptionalDouble seen, Setting setting) {
        double now = seen.orElse(setting.preset());
        return switch (amount) {
            case Change.Amount.Exactly a -> Optional.of(a.value());
            case Change.Amount.Times a -> times(now, a.factor());
            case Change.Amount.Larger _ -> times(now, 2);
        };
    }

    private static Optional<String> times(double now, double factor) {
        return now > 0
                ? Optional.of(Long.toString(Math.max(1, Math.round(now * factor))))
                : Optional.empty();
    }
}
