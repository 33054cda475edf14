package dev.jdyno.diagnose.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a request allocates at one place: its size, and what to write instead.
class AllocationAdviceTest {
    /// @param bytes allocated there by one request, from the samples
    static Patient allocating(String type, double share, long bytes, long cpuSamples) {
        return allocating(type, share, bytes, cpuSamples, bytes / share, 1_000_000);
    }

    /// @param counted bytes allocated by one request, from the collector's counters
    /// @param reply mean bytes of a reply
    private static Patient allocating(
            String type, double share, long bytes, long cpuSamples, double counted, double reply) {
        var patient = new Patient();
        patient.evidence =
                Patient.half().rounds(r -> r.cores(1).gc(requests(counted)).replies(reply));
        patient.insight =
                InsightVariant.allocations(
                        ApiAdviceTest.profile(
                                Profile.Kind.CPU,
                                cpuSamples,
                                "exec",
                                List.of(ApiAdviceTest.SERVES, ApiAdviceTest.PAGE)),
                        new Insight.Allocation(20, type, ApiAdviceTest.PAGE, 90, share, bytes));
        return patient;
    }

    private static GcActivity requests(double bytes) {
        return new GcActivity(
                new GcActivity.Count(2, 10),
                GcActivity.Count.NONE,
                0.002,
                Optional.of(bytes * EvidenceFixture.QPS),
                Optional.of(0.0),
                Optional.of(bytes),
                Optional.of(1e7),
                Optional.of(1e8));
    }

    /// The possible gain is the CPU time of the collector and of the method itself. Without such a
    /// cost, a place that allocates everything gives no recommendation.
    @ParameterizedTest
    @CsvSource({
        "byte[], 1.0, 49807360, 60, true",
        "byte[], 1.0, 49807360, 1, false",
        "byte[], 1.0, 4096, 60, false",
        "byte[], 0.2, 49807360, 60, false",
        "com.acme.Row, 1.0, 49807360, 60, false"
    })
    void largeBufferOfOnePlaceGivesARecommendation(
            String type, double share, long bytes, long samples, boolean worth) {
        List<Recommendation> all =
                allocating(type, share, bytes, samples).recommendations(Bottleneck.CPU);

        assertThat(ApiAdviceTest.known(all).contains("buffer-size")).isEqualTo(worth);
        if (worth) {
            assertThat(all.getFirst().id()).isEqualTo("buffer-size");
            assertThat(all.getFirst().says()).contains("47.5 MiB").contains(ApiAdviceTest.PAGE);
            assertThat(all.getFirst().predictedQpsRatio().orElseThrow())
                    .as("half of what that method takes goes")
                    .isCloseTo(1 / 0.7, within(0.02));
        }
    }

    /// If a thread allocates in bursts, its samples stand for several times its bytes. The counters
    /// give 800,000 bytes a request.
    @Test
    void sizeComesFromCountersAndShareFromSamples() {
        List<Recommendation> all =
                allocating("byte[]", 1, 3_300_000, 60, 800_000, 119)
                        .recommendations(Bottleneck.CPU);

        assertThat(ApiAdviceTest.one("buffer-size", all).says())
                .contains("781 KiB")
                .doesNotContain("MiB");
        assertThat(
                        ApiAdviceTest.known(
                                allocating("byte[]", 1, 3_300_000, 60, 80_000, 119)
                                        .recommendations(Bottleneck.CPU)))
                .isEmpty();
    }

    /// The size equals the one on the page.
    @Test
    void countersAndSamplesAreOfTheSameLoad() {
        int lower = EvidenceFixture.CONCURRENCY / 4;
        Patient patient = allocating("byte[]", 1, 3_300_000, 60, 80_000, 119);
        patient.evidence.relaxedRound(r -> r.gc(requests(800_000)));
        patient.insight =
                InsightVariant.allocations(
                        patient.insight.profiles().getFirst(),
                        new Insight.Allocation(
                                lower, "byte[]", ApiAdviceTest.PAGE, 90, 1, 3_300_000));

        assertThat(ApiAdviceTest.one("buffer-size", patient.recommendations(Bottleneck.CPU)).says())
                .contains("781 KiB");
    }

    /// A reply of 119 bytes cannot explain the allocation, so streaming the reply would not help.
    @ParameterizedTest
    @CsvSource({
        "byte[], 119, false",
        "byte[], 500000, true",
        "char[], 119, false",
        "char[], 500000, true"
    })
    void onlyAReplyOfThatSizeIsWrittenInParts(String type, double reply, boolean streams) {
        Recommendation found =
                allocating(type, 1, 800_000, 60, 800_000, reply)
                        .recommendations(Bottleneck.CPU)
                        .getFirst();

        assertThat(found.how().contains("response")).isEqualTo(streams);
    }
}
