package dev.jdyno.report;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.headroom.MinuteHeadroom;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchedHeadroom;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.words.HeadroomText;
import dev.jdyno.watch.RangeSummary;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The headroom of a range as text and as JSON.
class WatchedHeadroomTest {
    /// Two hours with 20 to 139 requests/s of 10 ms each, and 0.2 cores without requests. With 2
    /// cores, CPU allows 180 requests/s. The last minute is not judged.
    private static final List<WatchedMinute> MINUTES =
            IntStream.range(0, 121)
                    .mapToObj(n ->
                            minute(n)
                                    .using(0.2 + 0.01 * (20 + n), 20 + n)
                                    .named(n == 120 ? Bottleneck.UNKNOWN : Bottleneck.LOAD)
                                    .made())
                    .toList();

    private static WatchedRange range(List<WatchedMinute> minutes) {
        return RangeSummary.withHeadroom("shop", START, START.plus(Duration.ofHours(3)), minutes);
    }

    private static JsonNode json(List<WatchedMinute> minutes) {
        return JsonMapper.shared()
                .readTree(WatchReport.json(List.of(range(minutes)), SkippedLines.NONE))
                .at("/services/0/headroom");
    }

    @Test
    void documentHasLimitItsIntervalAndItsRatios() {
        JsonNode headroom = json(MINUTES);

        assertThat(headroom.at("/minutes").intValue()).isEqualTo(120);
        assertThat(headroom.at("/leftOut/0/reason").stringValue()).isEqualTo("unknown");
        assertThat(headroom.at("/leftOut/0/minutes").intValue()).isEqualTo(1);
        assertThat(headroom.at("/limits/first/kind").stringValue()).isEqualTo("cpu");
        assertThat(headroom.at("/limits/first/limitPerS").doubleValue())
                .isCloseTo(180, within(1e-6));
        assertThat(headroom.at("/limits/first/ci95").size()).isEqualTo(2);
        assertThat(headroom.at("/timesMean").doubleValue()).isCloseTo(180 / 79.5, within(1e-6));
        assertThat(headroom.at("/timesBusiestHour").doubleValue())
                .isCloseTo(180 / 109.5, within(1e-6));
        assertThat(headroom.at("/timesBusiestMinute").doubleValue())
                .isCloseTo(180.0 / 139, within(1e-6));
        assertThat(headroom.at("/busiestHour/from").stringValue())
                .isEqualTo("2026-11-30T15:00:00Z");
    }

    @Test
    void refusalHasItsReasonAndNoRatio() throws IOException {
        JsonNode headroom = json(MINUTES.subList(0, 5));

        assertThat(headroom.at("/limits/reason").stringValue()).isEqualTo("too-few-windows");
        assertThat(headroom.at("/limits/first").isNull()).isTrue();
        assertThat(headroom.at("/timesMean").isNull()).isTrue();
        assertThat(headroom.at("/busiestHour").isNull()).isTrue();
        assertThat(headroom.at("/meanPerS").doubleValue()).isCloseTo(22, within(1e-9));
        Golden.assertMatches(
                "documents/watched-refused.json",
                WatchReport.json(List.of(range(MINUTES.subList(0, 5))), SkippedLines.NONE));
    }

    @Test
    void textHasLimitAndEachRatio() {
        String text = WatchReport.text(List.of(range(MINUTES)), SkippedLines.NONE, ZoneOffset.UTC);

        assertThat(text).contains("180 requests/s", "2.3 times", "1.6 times", "1.3 times");
        assertThat(text).contains("120 of 121", "15:00", "15:59");
    }

    @Test
    void textOfRefusalHasNoRatio() {
        String text =
                WatchReport.text(
                        List.of(range(MINUTES.subList(0, 5))), SkippedLines.NONE, ZoneOffset.UTC);

        assertThat(text).contains("Headroom: unknown", "12m", "5 of 5").doesNotContain(" times ");
    }

    @ParameterizedTest
    @EnumSource(WatchedHeadroom.LeftOut.class)
    void everyReasonHasItsOwnWords(WatchedHeadroom.LeftOut reason) {
        WatchedHeadroom good = MinuteHeadroom.of(MINUTES.subList(0, 120));
        List<String> lines =
                HeadroomText.lines(
                        new WatchedHeadroom(
                                good.minutes(), Map.of(reason, 7), good.limits(), Optional.empty()),
                        ZoneOffset.UTC,
                        127);

        assertThat(lines.getLast()).contains("120 of 127", " 7 ").hasSizeLessThanOrEqualTo(100);
    }
}
