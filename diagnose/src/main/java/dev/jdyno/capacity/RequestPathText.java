package dev.jdyno.capacity;

import dev.jdyno.measure.text.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request path as written on the command line. Every error goes into the caller's {@link
/// Problems}. Parsing continues after each error, so that all are found at once.
///
/// @param resources `NAME=MS/UNITS`; times on one resource may be written as a sum, `cpu=18+2/2`
/// @param delays `NAME=MS`
/// @param parallel `NAME,NAME…`
public record RequestPathText(List<String> resources, List<String> delays, List<String> parallel) {
    private static final String PLAIN = "[0-9]+(?:\\.[0-9]+)?";
    private static final String NUMBER = "(" + PLAIN + ")";
    private static final String NAME = "([^=,/\\s]+)";
    // a resource: cpu=20/2 or cpu=18+2/2
    private static final Pattern RESOURCE =
            Pattern.compile(NAME + "=(" + PLAIN + "(?:\\+" + PLAIN + ")*)/" + NUMBER);
    // a delay: io=80
    private static final Pattern DELAY = Pattern.compile(NAME + "=" + NUMBER);

    /// The path; empty if the text has an error.
    public Optional<RequestPath> parse(Problems problems) {
        int before = problems.list().size();
        Set<String> names = new HashSet<>();
        List<Resource> occupied = new ArrayList<>();
        for (String text : resources) {
            resource(text, problems)
                    .filter(r -> fresh("--resource", r.name(), names, problems))
                    .ifPresent(occupied::add);
        }
        List<Delay> waited = new ArrayList<>();
        for (String text : delays) {
            delay(text, problems)
                    .filter(d -> fresh("--delay", d.name(), names, problems))
                    .ifPresent(waited::add);
        }
        if (resources.isEmpty()) {
            problems.add(
                    "--resource",
                    "none given: a request that occupies nothing has no limit",
                    "add at least one, such as --resource cpu=20/2 (20 ms on one of 2 cores)");
        }
        List<Set<String>> groups = groups(waited, problems);
        return problems.list().size() > before
                ? Optional.empty()
                : Optional.of(new RequestPath(occupied, waited, groups));
    }

    /// The concurrency; empty if the text is missing or invalid.
    public static OptionalDouble concurrency(@Nullable String text, Problems problems) {
        if (text == null) {
            return OptionalDouble.empty();
        }
        if (text.matches(NUMBER) && Double.parseDouble(text) > 0) {
            return OptionalDouble.of(Double.parseDouble(text));
        }
        problems.add(
                "--concurrency " + text,
                "not a positive number",
                "write how many requests are in flight, such as --concurrency 30");
        return OptionalDouble.empty();
    }

    private static Optional<Resource> resource(String text, Problems problems) {
        Matcher m = RESOURCE.matcher(text);
        if (!m.matches()) {
            problems.add(
                    "--resource " + text,
                    "not NAME=MS/UNITS",
                    "write --resource cpu=20/2: occupies one of 2 cores for 20 ms");
            return Optional.empty();
        }
        double ms = 0;
        for (String part : m.group(2).split("\\+")) {
            ms += Double.parseDouble(part);
        }
        double units = Double.parseDouble(m.group(3));
        if (ms == 0 || units == 0) {
            problems.add(
                    "--resource " + text,
                    (ms == 0 ? "0 ms" : "0 units") + " of a resource",
                    "give both a positive number, or leave the resource out");
            return Optional.empty();
        }
        return Optional.of(new Resource(m.group(1), ms, units));
    }

    private static Optional<Delay> delay(String text, Problems problems) {
        Matcher m = DELAY.matcher(text);
        if (!m.matches()) {
            problems.add(
                    "--delay " + text,
                    "not NAME=MS",
                    text.contains("/")
                            ? "a delay has no units; limited things are --resource " + text
                            : "write --delay io=80: waits 80 ms");
            return Optional.empty();
        }
        return Optional.of(new Delay(m.group(1), Double.parseDouble(m.group(2))));
    }

    private static boolean fresh(String option, String name, Set<String> names, Problems problems) {
        if (names.add(name)) {
            return true;
        }
        problems.add(
                option + " " + name,
                "this name was given before",
                "give each thing a name of its own");
        return false;
    }

    private List<Set<String>> groups(List<Delay> waited, Problems problems) {
        List<Set<String>> groups = new ArrayList<>();
        Set<String> grouped = new HashSet<>();
        Set<String> known = new LinkedHashSet<>();
        waited.forEach(d -> known.add(d.name()));
        for (String text : parallel) {
            Set<String> group = new LinkedHashSet<>();
            for (String name : text.split(",", -1)) {
                if (!known.contains(name)) {
                    problems.add(
                            "--parallel " + text,
                            "no delay is called '" + name + "'",
                            known.isEmpty()
                                    ? "give the parallel calls as --delay NAME=MS"
                                    : "the delays are: " + String.join(", ", known));
                } else if (!grouped.add(name)) {
                    problems.add(
                            "--parallel " + text,
                            "'" + name + "' is already in a parallel group",
                            "name each delay in one group, once");
                }
                group.add(name);
            }
            if (group.size() < 2) {
                problems.add(
                        "--parallel " + text,
                        "one call alone is not parallel to anything",
                        "name two or more delays, such as --parallel a,b");
            }
            groups.add(group);
        }
        return groups;
    }
}
