package dev.jdyno.report.words;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.Headroom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// How much more load a service will take, in a few lines.
public final class HeadroomText {
    private HeadroomText() {}

    public static List<String> lines(Headroom headroom) {
        return switch (headroom) {
            case Headroom.Known k -> known(k);
            case Headroom.Unknown u -> List.of("Headroom: unknown, " + why(u));
        };
    }

    private static List<String> known(Headroom.Known k) {
        return List.of(
                say(
                        "Headroom: the CPU is saturated at %s requests/s (%s to %s), %s times the"
                                + " busiest %d s seen (%s/s)",
                        Figures.number(k.limitPerS()),
                        Figures.number(k.ci95().lo()),
                        Figures.number(k.ci95().hi()),
                        Figures.number(Figures.twoDigits(k.timesBusiest())),
                        Math.round(k.windowS()),
                        Figures.number(k.busiestPerS())),
                say(
                        "  A request takes %s ms of CPU (%s to %s); without requests the service"
                                + " uses %s of its %s cores.",
                        Figures.number(k.demandMs()),
                        Figures.number(k.demandCi95().lo()),
                        Figures.number(k.demandCi95().hi()),
                        Figures.number(Math.max(0, k.baseCores())),
                        Figures.number(k.availableCores())),
                say(
                        "  Seen up to %.0f %% of these cores: a lock or a pool that limits earlier is"
                                + " not excluded above that.",
                        100 * k.highestUtilisation()));
    }

    private static String why(Headroom.Unknown u) {
        return u.reason().says()
                + u.watchS()
                        .map(s ->
                                "; watch such traffic for about "
                                        + Durations.format(Duration.ofSeconds(Math.round(s))))
                        .orElseGet(() ->
                                switch (u.reason()) {
                                    case NO_THROUGHPUT -> "; give --access-log FILE or --jmx";
                                    case TOO_FEW_WINDOWS, TOO_LITTLE_VARIATION ->
                                            "; watch a time in which it varies more";
                                });
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
