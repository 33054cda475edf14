package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Headroom.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeadroomTextTest {
    private static String line(Reason reason, Optional<Double> watchS) {
        return HeadroomText.lines(new Headroom.Unknown(reason, watchS)).getFirst();
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void whatIsUnknownSaysHowToKnowIt(Reason reason) {
        assertThat(line(reason, Optional.empty())).contains(reason.says()).contains("; ");
    }

    @Test
    void theTimeToWatchIsWrittenAsAnOptionTakesIt() {
        assertThat(line(Reason.TOO_LITTLE_VARIATION, Optional.of(1500.4))).endsWith(" 25m");
    }
}
