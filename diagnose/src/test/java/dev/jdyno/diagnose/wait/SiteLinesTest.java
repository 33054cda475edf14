package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.CONCURRENCY;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Insight.PoolOrigin;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Counts of calls and pools in the evidence.
class SiteLinesTest {
    private static final SourceLine FETCH =
            new SourceLine("com.acme.Backend.fetch", Optional.of("Backend.java"), 24, 500);

    private static Evidence with(EvidenceFixture seen, CallRate... calls) {
        var origin = new PoolOrigin("tile", FETCH);
        return Evidence.of(
                seen.recording().withInsight(InsightVariant.sites(List.of(calls), List.of(origin))),
                Optional.empty());
    }

    private static CallRate rate(int concurrency, double perRequest) {
        return new CallRate(concurrency, Cause.DOWNSTREAM, FETCH, perRequest, 5.2);
    }

    private static EvidenceFixture oneService() {
        return plateau().busy(Cause.DOWNSTREAM, "127.0.0.1:9001", 20);
    }

    @Test
    void callsARequestAreReportedWithTheirLine() {
        List<EvidenceLine> lines = SiteLines.calls(with(oneService(), rate(CONCURRENCY, 5.01)));

        assertThat(lines)
                .singleElement()
                .satisfies(l -> {
                    assertThat(l.value()).isEqualTo(5.01);
                    assertThat(l.says())
                            .contains("5 calls a request at Backend.fetch (Backend.java:24)");
                });
    }

    @Test
    void callsOfAnotherLoadAndOfFewRequestsAreLeftOut() {
        assertThat(SiteLines.calls(with(oneService(), rate(CONCURRENCY / 4, 5)))).isEmpty();
        assertThat(SiteLines.calls(with(oneService(), rate(CONCURRENCY, 0.02)))).isEmpty();
    }

    @Test
    void poolWithUnknownThreadStartsHasNoOrigin() {
        Evidence evidence = with(oneService());

        assertThat(SiteLines.origin(evidence, "tile")).isPresent();
        assertThat(SiteLines.origin(evidence, "render")).isEmpty();
        assertThat(SiteLines.madeAt(evidence, "render")).isEmpty();
    }

    /// Two lines with one call each, in the two branches of an `if`. A request makes one of them.
    @Test
    void alternativesAreNotCalledInSeries() {
        EvidenceFixture twoLines = plateau().callsAt("127.0.0.1:9001", 10, 10);
        var rule = new DownstreamSerialRule();

        assertThat(rule.evaluate(with(twoLines, rate(CONCURRENCY, 1.0))))
                .isInstanceOf(Finding.Cleared.class);
        assertThat(rule.evaluate(with(twoLines, rate(CONCURRENCY, 2.0))))
                .isInstanceOf(Finding.Limits.class);
        assertThat(rule.evaluate(with(twoLines)))
                .as("not counted")
                .isInstanceOf(Finding.Limits.class);
    }

    @Test
    void fewDistinctConnectionsMeanReuse() {
        Optional<EvidenceLine> line =
                SiteLines.connections(with(oneService().calls("127.0.0.1:9001", 8, 7.5)));

        assertThat(line)
                .hasValueSatisfying(l -> assertThat(l.value()).isLessThanOrEqualTo(l.limit()));
    }
}
