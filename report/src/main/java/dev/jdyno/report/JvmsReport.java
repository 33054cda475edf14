package dev.jdyno.report;

import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.JvmsForm;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The JVMs of a host as a table, and as JSON.
public final class JvmsReport {
    private static final int MAX_PORTS = 3;

    private JvmsReport() {}

    public static String text(List<RunningJvm> jvms) {
        if (jvms.isEmpty()) {
            return "no JVM runs here that this user may look at\n";
        }
        String rows =
                jvms.stream()
                        .map(JvmsReport::row)
                        .map(r -> Printable.line(r) + "\n")
                        .collect(Collectors.joining());
        return row("PID", "USER", "PORTS", "AGE", "CPU", "OBSERVE", "SERVICE") + "\n" + rows;
    }

    public static String json(List<RunningJvm> jvms) {
        return JsonDocument.text(JvmsForm.of(jvms)) + "\n";
    }

    /// A JVM in one line of a list: pid, ports and its main class or jar.
    public static String line(RunningJvm jvm) {
        return jvm.pid()
                + (jvm.ports().isEmpty() ? "" : " on port " + ports(jvm))
                + (jvm.main().isBlank() ? "" : " (" + jvm.main() + ")");
    }

    private static String row(RunningJvm jvm) {
        return row(
                Long.toString(jvm.pid()),
                jvm.user().orElse("-"),
                jvm.ports().isEmpty() ? "-" : ports(jvm),
                jvm.ageSeconds().map(JvmsReport::age).orElse("-"),
                jvm.cores().map(c -> String.format(Locale.ROOT, "%.2f", c)).orElse("-"),
                switch (jvm.access()) {
                    case ALL -> jvm.ownNetwork() ? "container" : "yes";
                    case LOAD_ONLY -> "load only";
                },
                name(jvm));
    }

    private static String name(RunningJvm jvm) {
        Optional<String> name = jvm.serviceName();
        return name.isEmpty() || jvm.main().equals(name.get())
                ? jvm.main()
                : name.get() + "  " + jvm.main();
    }

    private static String row(String... cells) {
        return String.format(
                        Locale.ROOT, "%8s  %-12s  %-14s  %8s  %6s  %-10s  %s", (Object[]) cells)
                .stripTrailing();
    }

    private static String ports(RunningJvm jvm) {
        String first =
                jvm.ports().stream()
                        .limit(MAX_PORTS)
                        .map(Object::toString)
                        .collect(Collectors.joining(","));
        int more = jvm.ports().size() - MAX_PORTS;
        return more > 0 ? first + ",+" + more : first;
    }

    private static String age(double seconds) {
        Duration whole = Duration.ofSeconds(Math.max(0, Math.round(seconds)));
        return whole.toDays() > 0
                ? whole.toDays() + "d" + whole.toHoursPart() + "h"
                : Durations.format(whole);
    }
}
