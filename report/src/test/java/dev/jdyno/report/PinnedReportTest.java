package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Causes of pinned virtual threads, in every form of the report.
class PinnedReportTest {
    @TempDir Path folder;

    private Path written() {
        Path file = folder.resolve("result.json");
        ResultJson.write(ResultFixture.e1(), file);
        return file;
    }

    @Test
    void documentKeepsPins() {
        assertThat(ResultJson.read(written()).insight().pinned())
                .isNotEmpty()
                .isEqualTo(ResultFixture.e1().insight().pinned());
    }

    @Test
    void documentOfEarlierVersionHasNoPins() throws Exception {
        Path file = written();
        Files.writeString(file, Files.readString(file).replace("\"pinned\":", "\"new\":"));

        assertThat(ResultJson.read(file).insight().pinned()).isEmpty();
    }

    @Test
    void causeOfPinningIsOneOfAFew() throws Exception {
        Path file = written();
        String key = Pinned.By.NATIVE_FRAME.key();
        Files.writeString(file, Files.readString(file).replace(key, "glue"));

        assertThatThrownBy(() -> ResultJson.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("insight.pinned[0].by");
    }

    @Test
    void pageHasTableOfPins() {
        String page = HtmlReport.render(ResultFixture.e1(), java.util.List.of());

        assertThat(page)
                .contains(
                        "What pins virtual threads",
                        "java.lang.Thread.sleep in com.acme.Foo.wait",
                        "Native or VM frame on stack: com.acme.Lib.call");
    }
}
