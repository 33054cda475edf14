package dev.jdyno.measure.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureTextTest {
    private static FailureCount count(
            String kind, FailureReason reason, long count, String example) {
        return new FailureCount(kind, reason, count, Optional.of(example));
    }

    @ParameterizedTest
    @EnumSource(FailureReason.class)
    void everyReasonHasAKeyAndWords(FailureReason reason) {
        assertThat(FailureReason.ofKey(reason.key())).contains(reason);
        assertThat(reason.key()).matches("[a-z0-9-]+");
        assertThat(FailureText.says(reason)).contains(" ").isNotEqualTo(reason.key());
    }

    @Test
    void ignoresReasonOfLaterVersion() {
        assertThat(FailureReason.ofKey("not-invented-yet")).isEmpty();
    }

    @Test
    void addsCountsOfOneReasonAndKeepsFirstExample() {
        List<FailureCount> a =
                List.of(
                        count("tls", FailureReason.TLS_ALERT, 2, "first"),
                        count("malformed", FailureReason.NOT_HTTP, 1, "x"));
        List<FailureCount> b =
                List.of(
                        count("malformed", FailureReason.NOT_HTTP, 5, "y"),
                        count("tls", FailureReason.TLS_ALERT, 1, "second"),
                        count("reset", FailureReason.CONNECTION_RESET, 1, "z"));

        assertThat(FailureCount.sum(a, b))
                .containsExactly(
                        count("malformed", FailureReason.NOT_HTTP, 6, "x"),
                        count("tls", FailureReason.TLS_ALERT, 3, "first"),
                        count("reset", FailureReason.CONNECTION_RESET, 1, "z"));
    }

    /// Many TLS servers close a plain connection without a reply.
    @Test
    void suggestsTlsIfServerClosesAtOnce() {
        List<FailureCount> closed =
                List.of(count("closed", FailureReason.CLOSED_BEFORE_REPLY, 3, "x"));

        assertThat(FailureText.adviceForNone(closed, false).orElseThrow()).contains("https://");
        assertThat(FailureText.adviceForNone(closed, true)).isEmpty();
        assertThat(FailureText.adviceForNone(List.of(), false)).isEmpty();
    }

    @Test
    void mostFrequentReasonRepresentsItsKind() {
        List<FailureCount> all =
                List.of(
                        count("tls", FailureReason.TLS_ALERT, 9, "x"),
                        count("tls", FailureReason.CERTIFICATE_EXPIRED, 1, "y"));

        assertThat(FailureText.byKind(all)).containsOnlyKeys("tls");
        assertThat(FailureText.byKind(all).get("tls"))
                .contains(FailureText.says(FailureReason.TLS_ALERT));
        assertThat(FailureText.adviceForNone(all, true))
                .isEqualTo(FailureText.advice(FailureReason.CERTIFICATE_EXPIRED));
    }
}
