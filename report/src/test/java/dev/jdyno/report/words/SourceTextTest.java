package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.report.html.ResultPage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourceTextTest {
    private static final String HOLDER = "com.acme.Store.lambda$put$0";

    private static RunResult held() {
        ThreadSamples window = ResultFixture.e1().census().getFirst();
        return ResultVariants.with(
                SamplesVariant.withBusy(
                        window,
                        List.of(
                                new ThreadSamples.Busy(
                                        Cause.LOCK,
                                        PlaceText.place(Cause.LOCK, "com.acme.Store.put"),
                                        15,
                                        Optional.empty(),
                                        Optional.empty(),
                                        List.of(
                                                new SourceLine(
                                                        HOLDER,
                                                        Optional.of("Store.java"),
                                                        31,
                                                        9))))));
    }

    /// The insight has no line of this method. Only the stack of the lock's holder has it.
    @Test
    void pageHasTheLineOfAHolderAndNamesItsLambdaReadably() {
        assertThat(new ResultPage(held(), List.of()).method(HOLDER))
                .isEqualTo("lambda in com.acme.Store.put (Store.java:31)");
    }
}
