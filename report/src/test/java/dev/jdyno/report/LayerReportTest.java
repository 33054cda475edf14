package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.words.LayerText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table of layers of experiment E6, in every form of the report.
class LayerReportTest {
    private static final LayerLimit NGINX =
            new LayerLimit("nginx in front", Kind.FRONT, 3000, "2 workers");
    private static final LayerLimit BACKLOG =
            new LayerLimit("listen queue of port 80", Kind.LISTEN_QUEUE, 1, "ss");

    private final RunResult result =
            ResultVariants.with(
                    SamplesVariant.withLimits(
                            ResultFixture.e1().census().getFirst(), List.of(NGINX, BACKLOG)));

    @TempDir Path folder;

    private static Layer layer(Layer.Kind kind, String of, double atOnce, boolean smallest) {
        return new Layer(kind, of, atOnce, false, "somewhere", smallest);
    }

    @Test
    void documentKeepsSettingsOfLayers() {
        Path file = folder.resolve("result.json");

        ResultJson.write(result, file);

        assertThat(ResultJson.read(file)).isEqualTo(result);
        assertThat(ResultJson.read(file).census().getFirst().limits())
                .containsExactly(NGINX, BACKLOG);
    }

    @Test
    void pageShowsLayers() {
        assertThat(HtmlReport.render(result, List.of()))
                .has(InOrder.of("id=\"layers\"", "nginx in front", "2 workers"));
    }

    @Test
    void marksSmallestOfDifferentLayers() {
        assertThat(
                        LayerText.lines(
                                List.of(
                                        layer(Layer.Kind.FRONT, "nginx", 3000, false),
                                        layer(Layer.Kind.LISTEN_QUEUE, "queue", 100, false),
                                        layer(Layer.Kind.CPU, "", 10, true))))
                .containsExactly(
                        "Limit by layer (requests at once; limits above the smallest one only add"
                                + " queueing)",
                        "     3000            nginx: somewhere",
                        "      100  waiting   queue: somewhere",
                        "       10  smallest  CPU: somewhere");
    }

    @Test
    void omitsLayersThatAgree() {
        assertThat(
                        LayerText.lines(
                                List.of(
                                        layer(Layer.Kind.LISTEN_QUEUE, "queue", 100, false),
                                        layer(Layer.Kind.THREADS, "exec", 19, false),
                                        layer(Layer.Kind.CPU, "", 10, true))))
                .isEmpty();
    }
}
