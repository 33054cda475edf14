package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Problems;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One change to a service, in the syntax of `jdyno whatif`.
public sealed interface WhatIfChange extends WrittenChange {
    /// `cpu*0.5`, `lock:X*0.2`, `gc*0`: multiplies the time of every resource and delay with this
    /// name, or with a name that starts with it and a colon.
    record Scale(String name, double factor) implements WhatIfChange {
        @Override
        public String text(List<Change> values) {
            return name + "*" + number(factor);
        }
    }

    /// `cores=8`, `pool=30`, `lock:X=4`: the new number of units.
    record Units(String name, double units) implements WhatIfChange {
        @Override
        public String text(List<Change> values) {
            return name + "=" + number(units);
        }
    }

    /// `threads=40`: the maximum number of requests inside the service at once.
    record Threads(int most) implements WhatIfChange {
        @Override
        public String text(List<Change> values) {
            return "threads=" + most;
        }
    }

    /// `parallel:a,b,c`: these delays overlap in time.
    record Parallel(Set<String> names) implements WhatIfChange {
        public Parallel {
            names = new LinkedHashSet<>(names);
        }

        @Override
        public String text(List<Change> values) {
            return PARALLEL + String.join(",", names);
        }
    }

    String PARALLEL = "parallel:";

    // A factor: lock:com.acme.Page*0.2
    Pattern SCALE = Pattern.compile("(.+)\\*(\\d+(?:\\.\\d+)?)");
    // A number of units: cores=8
    Pattern UNITS = Pattern.compile("(.+)=(\\d+(?:\\.\\d+)?)");

    private static String number(double n) {
        return Double.isFinite(n)
                ? BigDecimal.valueOf(n).stripTrailingZeros().toPlainString()
                : Double.toString(n);
    }

    /// Reads one change; a mistake is added to `problems`, and the result is empty.
    static Optional<WhatIfChange> parse(String text, Problems problems) {
        if (text.startsWith(PARALLEL)) {
            Set<String> names =
                    new LinkedHashSet<>(
                            Arrays.asList(text.substring(PARALLEL.length()).split(",", -1)));
            if (names.size() < 2 || names.contains("")) {
                problems.add(text, "names fewer than two calls", "write parallel:a,b");
                return Optional.empty();
            }
            return Optional.of(new Parallel(names));
        }
        Matcher scale = SCALE.matcher(text);
        if (scale.matches()) {
            return Optional.of(new Scale(scale.group(1), Double.parseDouble(scale.group(2))));
        }
        Matcher units = UNITS.matcher(text);
        if (!units.matches()) {
            problems.add(
                    text,
                    "not a change",
                    "write cpu*0.5, downstream:HOST*0.5, cores=8, threads=40, pool=30, gc*0 or"
                            + " parallel:a,b");
            return Optional.empty();
        }
        double n = Double.parseDouble(units.group(2));
        if (n == 0) {
            problems.add(text, "0 of them lets no request through", "give a positive number");
            return Optional.empty();
        }
        if (!units.group(1).equals("threads")) {
            return Optional.of(new Units(units.group(1), n));
        }
        if (n != Math.rint(n) || n > Integer.MAX_VALUE) {
            problems.add(text, "threads come whole", "write threads=40");
            return Optional.empty();
        }
        return Optional.of(new Threads((int) n));
    }
}
