package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.Auditor;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// No result of a kept recording shows a figure that cannot be.
class AuditTest {
    @Test
    void theAuditorFindsNothingInWhatIsShown() throws IOException {
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());

            assertThat(Auditor.violations(result)).as(kept.getKey()).isEmpty();
        }
    }

    /// What is in flight is throughput times response time, before and after.
    @Test
    void expectedFiguresObeyLittlesLaw() throws IOException {
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (Recommendation r : result.prescriptions()) {
                if (r.expected().isPresent()) {
                    Expected e = r.expected().get();
                    Round now = result.recording().ofMostThroughput().orElseThrow();
                    double grown = e.qps() * e.rtMs() / (now.qps() * now.rtMs().mean());
                    assertThat(grown * now.concurrency())
                            .as(kept.getKey() + " " + r.id())
                            .isCloseTo(e.atConcurrency(), Offset.offset(0.5 + 1e-6));
                    assertThat(e.ci95().orElseThrow().contains(e.qps())).isTrue();
                }
            }
        }
    }
}
