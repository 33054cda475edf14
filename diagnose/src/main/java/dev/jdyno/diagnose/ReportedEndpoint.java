package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServiceFigures.Limiting;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Adds to a verdict the endpoint that takes most of the request time, by the service's own
/// metrics.
public final class ReportedEndpoint {
    /// Verdicts that name no limit inside the service.
    private static final Set<Bottleneck> OUTSIDE =
            EnumSet.of(Bottleneck.UNKNOWN, Bottleneck.LOAD, Bottleneck.CLIENT, Bottleneck.PORTS);

    private ReportedEndpoint() {}

    /// Returns the verdict with the name of that endpoint. The verdict stays the same if the
    /// service has one endpoint, or if none takes most of the time at the load of the evidence.
    public static Verdict named(Verdict verdict, Evidence evidence) {
        return OUTSIDE.contains(verdict.bottleneck())
                ? verdict
                : limiting(evidence).map(l -> named(verdict, l)).orElse(verdict);
    }

    private static Optional<Limiting> limiting(Evidence evidence) {
        int load = evidence.plateau().concurrency();
        return evidence.insight().service().stream()
                .filter(f -> f.concurrency() == load)
                .reduce((_, last) -> last)
                .flatMap(ServiceFigures::limiting);
    }

    private static Verdict named(Verdict verdict, Limiting limiting) {
        String says =
                say(
                        "`%s` takes %.0f %% of the time of all requests",
                        limiting.endpoint(), limiting.timeShare() * 100);
        List<EvidenceLine> lines = new ArrayList<>(verdict.evidence());
        lines.add(
                line(
                        Figure.REPORTED_ENDPOINT,
                        "by the service's own metrics " + says,
                        limiting.timeShare(),
                        ServiceFigures.LIMITS_FROM));
        return new Verdict(
                verdict.bottleneck(),
                verdict.where(),
                verdict.confidence(),
                verdict.says().and(" Of its endpoints, " + says + "."),
                lines,
                verdict.runnersUp());
    }
}
