package dev.jdyno.report.words;

import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Texts on endpoints and pools by the service's own metrics.
public final class EndpointText {
    /// Maximum number of endpoints in a sentence.
    private static final int SHORT = 3;

    private static final int MAX_ROWS = 7;
    private static final int MAX_POOLS = 4;

    private EndpointText() {}

    /// Returns `share of all request time: GET /checkout 2xx 82 % (41/s, mean 40 ms); GET /items
    /// 2xx 18 % (120/s, mean 3.1 ms)`; empty without requests.
    public static Optional<String> sentence(ServiceFigures figures) {
        if (figures.endpoints().isEmpty()) {
            return Optional.empty();
        }
        int left = figures.endpoints().size() - SHORT;
        return Optional.of(
                figures.endpoints().stream()
                                .limit(SHORT)
                                .map(e ->
                                        String.format(
                                                Locale.ROOT,
                                                "%s %s (%s/s, mean %s ms)",
                                                name(e),
                                                Figures.percent(e.timeShare()),
                                                Figures.number(e.perS()),
                                                Figures.number(e.meanMs())))
                                .collect(
                                        Collectors.joining("; ", "share of all request time: ", ""))
                        + (left > 0 ? "; " + left + " more" : ""));
    }

    /// Returns the sentence on the endpoint that limits; empty if none of several takes most of the
    /// time.
    public static Optional<String> limiting(ServiceFigures figures) {
        return figures.limiting()
                .map(l ->
                        l.endpoint()
                                + " takes "
                                + Figures.percent(l.timeShare())
                                + " of the time of all requests: it limits the service first.");
    }

    /// Returns a table of endpoints and pools for a terminal; empty if nothing was read.
    public static List<String> lines(ServiceFigures figures) {
        List<String> lines = new ArrayList<>();
        List<EndpointFigures> all = figures.endpoints();
        if (!all.isEmpty()) {
            lines.add("Endpoints (requests/s, mean ms, share of all request time)");
            all.stream().limit(MAX_ROWS).map(EndpointText::row).forEach(lines::add);
            if (all.size() > MAX_ROWS) {
                lines.add("  (+" + (all.size() - MAX_ROWS) + " more; --json has all)");
            }
            limiting(figures).ifPresent(lines::add);
        } else if (figures.perS() > 0) {
            lines.add(
                    "All endpoints: "
                            + Figures.number(figures.perS())
                            + " requests/s (the metrics have no times by endpoint)");
        }
        figures.pools().stream()
                .filter(ServicePool::works)
                .limit(MAX_POOLS)
                .map(EndpointText::pool)
                .forEach(lines::add);
        return lines;
    }

    private static String row(EndpointFigures e) {
        return String.format(
                Locale.ROOT,
                "%8s/s%8s ms  %4s  %s",
                Figures.number(e.perS()),
                Figures.number(e.meanMs()),
                Figures.percent(e.timeShare()),
                name(e));
    }

    /// Returns the name of an endpoint with the class of status, if the class is known.
    public static String name(EndpointFigures e) {
        return (e.name() + " " + e.status()).strip();
    }

    /// The state of a pool: `Pool orders (HikariCP): 9.8 of 10 in use, 54 wait (410 ms each), held
    /// for 80 ms`.
    private static String pool(ServicePool p) {
        return "Pool "
                + p.pool()
                + (p.pool().equals(p.library()) ? "" : " (" + p.library() + ")")
                + ": "
                + p.inUse().map(Figures::number).orElse("?")
                + p.max().map(m -> " of " + Figures.number(m)).orElse("")
                + " in use"
                + p.waiting()
                        .map(w ->
                                ", "
                                        + Figures.number(w)
                                        + " wait"
                                        + p.waitMs()
                                                .filter(_ -> w > 0)
                                                .map(ms -> " (" + Figures.number(ms) + " ms each)")
                                                .orElse(""))
                        .orElse("")
                + p.heldMs().map(ms -> ", held for " + Figures.number(ms) + " ms").orElse("")
                + p.timeouts().filter(n -> n > 0).map(n -> ", " + n + " timeouts").orElse("");
    }
}
