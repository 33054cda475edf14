package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.Auditor;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import java.io.IOException;
import java.util.Map;
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
}
