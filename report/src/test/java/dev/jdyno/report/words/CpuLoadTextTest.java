package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuLoadTextTest {
    private static Round round(int concurrency, double qps, double cpuMs) {
        return RoundFixture.round(concurrency, qps)
                .anatomy(new Breakdown(Map.of(Cause.CPU, cpuMs), List.of(), 0))
                .build();
    }

    private static Optional<String> text(Round here, Round... measured) {
        return CpuLoadText.of(
                ResultVariants.withRounds(ResultFixture.e1(), List.of(measured)), here);
    }

    /// The text contains two loads, so each is named by its concurrency.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1, 26.4, 2.86, 84.1, 0.7 | CPU of a request is 2.86 ms at N=1 and 0.7 ms at N=5,"
                        + " probably because code was not yet compiled at N=1, and the CPU that the JVM"
                        + " itself uses is divided among only 26.4 requests/s at N=1",
                "5, 26.4, 2.86, 84.1, 0.7 | CPU of a request is 2.86 ms at N=1 and 0.7 ms at N=5,"
                        + " probably because the CPU that the JVM itself uses is divided among only"
                        + " 26.4 requests/s at N=1",
                "1, 849, 0.69, 1687, 0.98 | CPU of a request is 0.69 ms at N=1 and 0.98 ms at N=5,"
                        + " probably because more threads in use switch more often and share the caches"
            })
    void explainsAnotherCpuTime(String figures, String says) {
        List<Double> f = List.of(figures.split(", ")).stream().map(Double::valueOf).toList();
        Round low = round(1, f.get(1), f.get(2));
        Round here = round(5, f.get(3), f.get(4));
        boolean lowFirst = f.getFirst() == 1;

        assertThat(lowFirst ? text(here, low, here) : text(here, here, low)).contains(says);
    }

    @Test
    void isEmptyIfTheTimesAgreeOrOneIsUnknown() {
        Round here = round(5, 423, 4.48);

        assertThat(text(here, round(1, 219, 4.39), here)).isEmpty();
        assertThat(text(here, RoundFixture.round(1, 219).build(), here)).isEmpty();
        assertThat(text(here, here)).isEmpty();
    }
}
