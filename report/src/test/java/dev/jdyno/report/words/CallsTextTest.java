package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.SourceLine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallsTextTest {
    private static CallRate rate(int concurrency, Cause cause, double perRequest) {
        return new CallRate(
                concurrency,
                cause,
                new SourceLine("com.acme.Page.get", Optional.of("Page.java"), 12, 9),
                perRequest,
                4);
    }

    private static Insight counted(CallRate... calls) {
        Insight none = Insight.NONE;
        return new Insight(
                none.profiles(),
                none.stages(),
                none.grown(),
                none.logging(),
                none.waits(),
                none.since(),
                none.allocations(),
                none.exceptions(),
                none.pinned(),
                none.missing(),
                none.sources(),
                none.libraries(),
                List.of(calls),
                none.origins());
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 3 calls", "0.5, 1, 1.5 calls", "0.02, 0.03, ''"})
    void theCallsOfAllLinesAreOfOneRequest(double one, double other, String says) {
        Round round = ResultFixture.e1().rounds().getLast();
        int n = round.concurrency();
        Insight seen =
                counted(
                        rate(n, Cause.DATABASE, one),
                        rate(n, Cause.DATABASE, other),
                        rate(n, Cause.FUTURE, 7),
                        rate(n + 1, Cause.DATABASE, 7));

        assertThat(CallsText.of(seen, round, "database").orElse("")).startsWith(says);
        assertThat(CallsText.of(seen, round, "database").isPresent()).isEqualTo(!says.isEmpty());
        assertThat(CallsText.of(seen, round, "downstream")).isEmpty();
        assertThat(CallsText.of(seen, round, "future")).isEmpty();
    }
}
