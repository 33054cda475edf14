package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Replies under load that differ from those of the lowest load.
class OtherRepliesTest {
    private static boolean said(Validity validity) {
        assertThat(validity.ok()).isTrue();
        return validity.warnings().stream().anyMatch(w -> w.id().equals("other-answers"));
    }

    /// A dashboard whose tasks return nothing after 300 ms, an order whose price timed out, and
    /// lists of varying length.
    @ParameterizedTest
    @CsvSource({
        "347, 184, true",
        "116, 122, true",
        "347, 900, true",
        "116, 117, false",
        "347.4, 320.7, false",
        "347.4, 900, false",
        "347.4, 184.2, true"
    })
    void reportsChangedSizeOfReplies(double usual, double bytes, boolean differ) {
        assertThat(
                        said(
                                EvidenceFixture.plateau()
                                        .relaxedRound(r -> r.replies(usual))
                                        .rounds(r -> r.replies(bytes))
                                        .validity()))
                .isEqualTo(differ);
    }

    /// @param low replies of each request with 5 in flight
    /// @param high the same with 20 in flight
    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.TimeoutException, 0, 0.9, 0, true",
        "java.net.http.HttpTimeoutException, 0.01, 0.2, 0, true",
        "java.net.SocketTimeoutException, 0.5, 0.6, 0, false",
        "java.util.concurrent.TimeoutException, 0, 0.01, 0, false",
        "java.util.concurrent.TimeoutException, 0, 0.9, 540, false",
        "java.lang.NumberFormatException, 0, 0.9, 0, false"
    })
    void reportsTimeoutsCountedAsResponses(
            String type, double low, double high, long errors, boolean differ) {
        Recording recording = EvidenceFixture.plateau().rounds(r -> r.errors(errors)).recording();
        Insight seen =
                InsightVariant.exceptions(
                        thrown(type, EvidenceFixture.CONCURRENCY / 4, low),
                        thrown(type, EvidenceFixture.CONCURRENCY, high));

        assertThat(
                        ValidityRules.of(recording.withInsight(seen)).warnings().stream()
                                .anyMatch(w -> w.id().equals("other-answers")))
                .isEqualTo(differ);
        assertThat(List.copyOf(seen.exceptions())).hasSize(2);
    }

    private static Insight.Thrown thrown(String type, int concurrency, double perRequest) {
        return new Insight.Thrown(
                concurrency, type, "com.acme.Page.get", 90, 1, 90 * perRequest, perRequest);
    }
}
