package dev.jdyno.lab.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The parameters of one request, checked when they are read.
public final class Query {
    private final Function<String, @Nullable String> parameters;

    public Query(Function<String, @Nullable String> parameters) {
        this.parameters = parameters;
    }

    /// Returns a time in milliseconds, with fractions allowed (`2.5`), from 0 to one minute.
    public double millis(String name, double unset) {
        return number(name, unset, 60_000);
    }

    /// Returns a factor from 0 to 1000.
    public double factor(String name, double unset) {
        return number(name, unset, 1000);
    }

    /// Returns the number of an object, from 0; 0 if the parameter is missing.
    public long id(String name) {
        return (long) number(name, 0, 1e15);
    }

    /// Returns an index from 0 to below `size`; 0 if the parameter is missing.
    public int index(String name, int size) {
        return (int) number(name, 0, size - 1.0);
    }

    public boolean flag(String name) {
        return flag(name, false);
    }

    public boolean flag(String name, boolean unset) {
        String given = parameters.apply(name);
        if (given == null) {
            return unset;
        }
        if (given.equals("false")) {
            return false;
        }
        if (given.equals("true") || given.isEmpty()) {
            return true;
        }
        throw new BadQuery("%s=%s: must be true or false".formatted(name, given));
    }

    /// Returns one of the constants of an enum, written in lower case.
    public <E extends Enum<E>> E choice(String name, E unset) {
        String given = parameters.apply(name);
        if (given == null) {
            return unset;
        }
        List<String> names = new ArrayList<>();
        for (E constant : unset.getDeclaringClass().getEnumConstants()) {
            names.add(constant.name().toLowerCase(Locale.ROOT));
            if (names.get(names.size() - 1).equals(given)) {
                return constant;
            }
        }
        throw new BadQuery("%s=%s: must be one of %s".formatted(name, given, names));
    }

    /// Returns a size in bytes, as `4096`, `64k`, `2m` or `1.2m` (factors of 1024), from 1 byte to
    /// 1 GiB.
    public int bytes(String name, int unset) {
        String given = parameters.apply(name);
        if (given == null) {
            return unset;
        }
        String lower = given.toLowerCase(Locale.ROOT);
        double unit = lower.endsWith("k") ? 1 << 10 : lower.endsWith("m") ? 1 << 20 : 1;
        String digits = unit == 1 ? lower : lower.substring(0, lower.length() - 1);
        double bytes = parse(name, given, digits) * unit;
        if (!(bytes >= 1 && bytes <= 1 << 30)) {
            throw new BadQuery("%s=%s: must be from 1 to 1024m".formatted(name, given));
        }
        return (int) bytes;
    }

    private double number(String name, double unset, double max) {
        String given = parameters.apply(name);
        if (given == null) {
            return unset;
        }
        double number = parse(name, given, given);
        if (!(number >= 0 && number <= max)) {
            throw new BadQuery("%s=%s: must be from 0 to %.0f".formatted(name, given, max));
        }
        return number;
    }

    private static double parse(String name, String given, String digits) {
        try {
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw new BadQuery("%s=%s: not a number".formatted(name, given));
        }
    }
}
