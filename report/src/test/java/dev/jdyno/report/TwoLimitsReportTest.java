package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A result with two limits of nearly the same height.
class TwoLimitsReportTest {
    @TempDir private Path folder;

    private static NextLimit next(NextLimit.Way way, Optional<NextLimit.After> after) {
        return new NextLimit(
                Bottleneck.DOWNSTREAM, "10.0.0.7:8081", 0.67, way, 7.5, 171, 187.4, 0.13, after);
    }

    private static RunResult result(NextLimit next) {
        return ResultVariants.with(ResultFixture.e1().verdict().withNextLimit(Optional.of(next)));
    }

    static Stream<Optional<NextLimit.After>> afters() {
        return Stream.of(
                Optional.empty(),
                Optional.of(new NextLimit.After(Bottleneck.DISK, 308, 0.8)),
                Optional.of(new NextLimit.After(Bottleneck.DISK, 4275, 24)));
    }

    @ParameterizedTest
    @MethodSource("afters")
    void storedResultIsReadWithItsSecondLimit(Optional<NextLimit.After> after) throws IOException {
        RunResult result = result(next(NextLimit.Way.QUEUE, after));

        Path file = Files.writeString(folder.resolve("two.json"), ResultJson.toString(result));

        assertThat(ResultJson.read(file).verdict()).isEqualTo(result.verdict());
    }

    @Test
    void allFormsHaveTheSameGains() {
        RunResult result =
                result(
                        next(
                                NextLimit.Way.QUEUE,
                                Optional.of(new NextLimit.After(Bottleneck.DISK, 308, 0.8))));

        String terminal =
                new TerminalReport(false).verdict(result, Optional.empty()).replaceAll("\\s+", " ");
        String page = HtmlReport.render(result, List.of());
        JsonNode json =
                JsonMapper.shared().readTree(ResultJson.toString(result)).at("/verdict/nextLimit");

        assertThat(json.at("/bottleneck").stringValue()).isEqualTo("downstream");
        assertThat(json.at("/way").stringValue()).isEqualTo("queue");
        assertThat(json.at("/gainOfFirst").doubleValue()).isEqualTo(0.13);
        assertThat(json.at("/after/gainOfBoth").doubleValue()).isEqualTo(0.8);
        assertThat(terminal).contains("downstream at 10.0.0.7:8081", "187/s", "13 %", "80 %");
        assertThat(page).contains("downstream at 10.0.0.7:8081", "187/s", "13 %", "80 %");
    }

    @ParameterizedTest
    @EnumSource(NextLimit.Way.class)
    void secondLimitLeavesTheFirstScreenItsLength(NextLimit.Way way) {
        String terminal =
                new TerminalReport(false)
                        .verdict(
                                result(
                                        next(
                                                way,
                                                Optional.of(
                                                        new NextLimit.After(
                                                                Bottleneck.DISK, 4275, 24)))),
                                Optional.empty());

        assertThat(terminal.lines().count()).isLessThanOrEqualTo(TerminalReport.MAX_LINES);
        assertThat(terminal.lines()).allMatch(l -> l.length() <= 100);
        assertThat(terminal).contains("25 times");
    }
}
