package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.words.ExceptionText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Exceptions by class and place, in every form of the report.
class ExceptionReportTest {
    private static final Thrown AT_LOW_LOAD =
            new Thrown(5, "com.acme.Refused", "com.acme.Foo.ask", 90, 1, 500, 5);
    private static final Thrown MAX =
            new Thrown(40, "com.acme.NotFound", "com.acme.Foo.find", 420, 0.84, 1764, 10.08);
    private static final Thrown FEW =
            new Thrown(
                    40,
                    "java.lang.NumberFormatException",
                    "java.lang.Integer.parseInt in com.acme.Foo.read",
                    80,
                    0.16,
                    336,
                    1.92);

    @TempDir Path folder;

    @Test
    void documentKeepsExceptions() {
        RunResult result = ResultFixture.e1();
        Path file = folder.resolve("result.json");

        ResultJson.write(result, file);

        assertThat(result.insight().exceptions()).isNotEmpty();
        assertThat(ResultJson.read(file).insight().exceptions())
                .isEqualTo(result.insight().exceptions());
    }

    @Test
    void documentOfEarlierVersionHasNoExceptions() throws Exception {
        Path file = folder.resolve("result.json");
        ResultJson.write(ResultFixture.e1(), file);
        Files.writeString(file, Files.readString(file).replace("\"exceptions\":", "\"new\":"));

        assertThat(ResultJson.read(file).insight().exceptions()).isEmpty();
    }

    @Test
    void aLineOfTheTerminalHasTheExceptionsAtTheHighestLoad() {
        assertThat(
                        ExceptionText.line(InsightVariant.exceptions(AT_LOW_LOAD, MAX, FEW))
                                .map(Sentence::text))
                .hasValue(
                        "Exceptions at N=40: 12 a request (2100/s), 84 % com.acme.NotFound by"
                                + " com.acme.Foo.find");
    }

    @Test
    void sumIncludesUnlistedExceptions() {
        assertThat(ExceptionText.line(InsightVariant.exceptions(MAX)))
                .hasValueSatisfying(line ->
                        assertThat(line).startsWith("Exceptions at N=40: 12 a request (2100/s)"));
    }

    @Test
    void fewerThanOneExceptionPerRequestGetNoLine() {
        var seldom = new Thrown(40, "com.acme.NotFound", "com.acme.Foo.find", 420, 1, 100, 0.9);

        assertThat(ExceptionText.line(InsightVariant.exceptions(seldom))).isEmpty();
        assertThat(ExceptionText.line(Insight.NONE)).isEqualTo(Optional.empty());
    }

    @Test
    void pageHasTableOfExceptions() throws Exception {
        Path file = folder.resolve("report.html");

        HtmlReport.write(ResultFixture.e1(), file);

        assertThat(Files.readString(file))
                .contains(
                        "Exceptions by class and place", "com.acme.NotFound", "com.acme.Foo.find");
    }
}
