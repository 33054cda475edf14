package dev.jdyno.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Proof;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ProofJsonTest {
    private static final Proof.Point POINT = new Proof.Point(20, 98, 203, Optional.empty());

    private static Proof proof(Optional<Proof.Point> after, Optional<String> stays) {
        return new Proof(
                Proof.Answer.AGREED,
                "",
                List.of(
                        new Proof.Tried(
                                "larger-threads-pool",
                                "maxThreads 7 -> 14",
                                "",
                                "qps",
                                2,
                                new Interval(1.25, 2.3),
                                2,
                                new Interval(1.9, 2.1),
                                Proof.Answer.AGREED,
                                POINT,
                                POINT,
                                after,
                                stays)),
                List.of());
    }

    private static Proof read(JsonNode json) {
        return Bound.read(new JsonCursor("result.json", "", json), Proof.class);
    }

    private static JsonNode written(Proof proof) {
        return Bound.tree(proof);
    }

    @Test
    void readsProofAsWritten() {
        Proof proof = proof(Optional.empty(), Optional.of("7 threads above the maximum"));

        assertThat(read(written(proof))).isEqualTo(proof);
    }

    /// Older results have a round after each experiment, but no remaining effect.
    @Test
    void proofOfAnOlderVersionIsRead() {
        Proof proof = proof(Optional.of(POINT), Optional.empty());
        JsonNode older = written(proof);
        ((ObjectNode) older.path("tried").get(0)).remove("stays");

        assertThat(read(older)).isEqualTo(proof);
    }
}
