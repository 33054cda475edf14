package dev.jdyno.measure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Texts about the processes that disturbed a round.
public final class DisturbanceText {
    /// Minimum share of the hypervisor's part in the additional cores taken for the text to name
    /// the hypervisor.
    private static final double STEAL_NAMED_FROM = 0.25;

    /// Text for processes without known names. They ended too early, used too little CPU each, or
    /// could not be read.
    private static final String UNNAMED = "processes that were not named";

    private DisturbanceText() {}

    /// Text such as `others took 0.98 cores for 4 s, usually 0.02: stress (pid 77) 0.96`.
    public static String says(Disturbance d) {
        return String.format(
                Locale.ROOT,
                "others took %.2f cores%s, usually %.2f: %s",
                d.takenCores(),
                d.seconds() > 0 ? " for " + d.seconds() + " s" : "",
                d.usualCores(),
                who(d));
    }

    /// The processes with pid and cores, and the hypervisor if it contributed.
    public static String who(Disturbance d) {
        String names = names(d.by());
        boolean stolen =
                d.more() && d.stolenCores() >= STEAL_NAMED_FROM * (d.takenCores() - d.usualCores());
        if (stolen) {
            String steal = String.format(Locale.ROOT, "the hypervisor %.2f", d.stolenCores());
            return names.isEmpty() ? steal : steal + ", " + names;
        }
        String who = names.isEmpty() ? UNNAMED : names;
        return d.more() ? who : "without " + who;
    }

    /// Text such as `stress (pid 77) 0.96, java Build (pid 78) 0.40`; empty without neighbours.
    public static String names(List<Neighbour> who) {
        return who.stream()
                .map(n ->
                        String.format(
                                Locale.ROOT, "%s (pid %d) %.2f", n.name(), n.pid(), n.cores()))
                .collect(Collectors.joining(", "));
    }
}
