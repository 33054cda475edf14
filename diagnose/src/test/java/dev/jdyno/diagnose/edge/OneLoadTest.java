package dev.jdyno.diagnose.edge;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.OneWindow;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No load is twice another one. The service calls another service.
class OneLoadTest {
    @ParameterizedTest
    @CsvSource({
        "20;30, 400;402, false", // more load gives no more
        "20;24, 400;405, false",
        "20;25;30, 300;310;320, false", // flattens below the best load
        "20;30, 400;390, false", // more load gives less
        "20;30, 400;595, true", // throughput follows the load
        "20;25;30, 300;374;448, true",
        "20;21, 400;402, true", // loads too similar to decide
        "20;20, 400;402, true",
    })
    void loadsThatAreCloseTogetherMustNotContradict(String loads, String qps, boolean isLoad) {
        int[] n = Arrays.stream(loads.split(";")).mapToInt(Integer::parseInt).toArray();
        double[] x = Arrays.stream(qps.split(";")).mapToDouble(Double::parseDouble).toArray();
        Round[] rounds = new Round[n.length];
        for (int i = 0; i < n.length; i++) {
            rounds[i] = round(n[i], x[i]).cores(0.1).build();
        }

        Finding found = new LoadRule().evaluate(calling(rounds).build());

        assertThat(found instanceof Finding.Near).as(found.toString()).isEqualTo(isLoad);
    }

    @ParameterizedTest
    @CsvSource({
        "20, 402, false", // refused requests took no time
        "24, 402, false",
        "25, 498, true",
    })
    void unservedHigherRateIsNoLoadLimit(int inFlight, double served, boolean isLoad) {
        Round low = round(20, 400).cores(0.1).build().atRate(400);
        Round high = round(inFlight, served).cores(0.1).build().atRate(500);

        Finding found = new LoadRule().evaluate(calling(low, high).build());

        assertThat(found instanceof Finding.Near).as(found.toString()).isEqualTo(isLoad);
    }

    @Test
    void namesPartsOfSingleRequestOnlyForOneInFlight() {
        assertThat(ids(round(1, 20))).contains("lone-request", "lone-request-downstream");
        assertThat(ids(round(8, 160)))
                .contains("request-downstream")
                .noneMatch(id -> id.startsWith("lone-request"));
    }

    @Test
    void breakdownAtOpenRateIsNotThatOfASingleRequest() {
        Round atRate = waiting(round(1, 20)).atRate(20);

        assertThat(lines(new LoadRule().evaluate(calling(atRate).build())))
                .extracting(EvidenceLine::id)
                .contains("request-downstream")
                .noneMatch(id -> id.startsWith("lone-request"));
    }

    private static List<String> ids(RoundFixture round) {
        return lines(new LoadRule().evaluate(calling(waiting(round)).build())).stream()
                .map(EvidenceLine::id)
                .toList();
    }

    private static Round waiting(RoundFixture round) {
        var place = PlaceText.place(Cause.DOWNSTREAM, "10.0.0.7:80");
        return round.cores(0.1)
                .anatomy(
                        new Breakdown(
                                Map.of(Cause.DOWNSTREAM, 48.0, Cause.CPU, 1.0),
                                List.of(new Breakdown.Spot(Cause.DOWNSTREAM, place, 48)),
                                1))
                .build();
    }

    private static List<EvidenceLine> lines(Finding found) {
        return ((Finding.Near) found).limits().evidence();
    }

    private static OneWindow calling(Round... rounds) {
        double busy = 0.95 * rounds[rounds.length - 1].concurrency();
        return OneWindow.of(rounds)
                .pool(
                        new ThreadSamples.Pool(
                                "http-nio-exec",
                                40,
                                busy,
                                40 - busy,
                                5,
                                true,
                                false,
                                0.1,
                                Map.of()))
                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", busy);
    }
}
