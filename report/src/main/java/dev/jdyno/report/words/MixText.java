package dev.jdyno.report.words;

import dev.jdyno.measure.verdict.Headroom.EndpointDemand;
import dev.jdyno.measure.verdict.Headroom.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The CPU time of requests to each endpoint, and the limit for another mix of them.
final class MixText {
    private MixText() {}

    static List<String> lines(Mix mix) {
        List<String> lines = new ArrayList<>();
        mix.classes().forEach(c -> lines.add(line(c)));
        mix.busiest()
                .ifPresent(b ->
                        lines.add(
                                say(
                                        "  With the mix of the busiest minute (%s/s), the CPU is"
                                                + " saturated at %s requests/s (%s).",
                                        Figures.number(b.perS()),
                                        Figures.number(b.limitPerS()),
                                        Figures.range(b.ci95()))));
        return lines;
    }

    private static String line(EndpointDemand c) {
        return say(
                "  %s: %s ms of CPU a request (%s); %s %% of the requests, %s %% in the busiest"
                        + " minute",
                c.endpoint().orElse("All other endpoints"),
                Figures.number(c.cpuMs()),
                Figures.range(c.cpuCi95()),
                Figures.number(100 * c.share()),
                Figures.number(100 * c.busiestShare()));
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
