package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchFileTest {
    private static final Path FOLDER = Path.of("/etc/jdyno");

    private static WatchFile read(String text, Problems problems) {
        return WatchFile.parse("watch.yaml", FOLDER, text, problems);
    }

    private static WatchFile read(String text) {
        var problems = new Problems();
        WatchFile file = read(text, problems);
        assertThat(problems.list()).isEmpty();
        return file;
    }

    private static List<String> places(String text) {
        var problems = new Problems();
        read(text, problems);
        return problems.list().stream().map(Problems.Problem::where).toList();
    }

    @Test
    void everyKeyIsRead() {
        WatchFile file =
                read(
                        """
                        services:
                          - name: shop
                            metrics: http://127.0.0.1:8080/metrics
                            headroomBelow: 1.5
                          - {name: orders, metrics: false}
                          - pid: 4711
                        out: days
                        keep: 30
                        headroomBelow: 1.2
                        metricsPort: 0
                        webhook: {url: '@hook', form: alertmanager}
                        """);

        assertThat(file.services().stream().map(WatchFile.Service::word))
                .containsExactly("shop", "orders", "4711");
        assertThat(file.services().getFirst().metrics().flatMap(MetricsPlan::at))
                .contains(URI.create("http://127.0.0.1:8080/metrics"));
        assertThat(file.services().getFirst().headroomBelow()).contains(1.5);
        assertThat(file.services().get(1).metrics()).contains(MetricsPlan.NONE);
        assertThat(file.services().getLast().metrics()).isEmpty();
        assertThat(file.services().getLast().headroomBelow()).isEmpty();
        assertThat(file.out()).contains(FOLDER.resolve("days"));
        assertThat(file.keep()).contains(30);
        assertThat(file.headroomBelow()).contains(1.2);
        assertThat(file.metricsPort()).contains(0);
        assertThat(file.webhook())
                .contains(
                        new WatchFile.Hook(
                                "watch.yaml:11 webhook.url",
                                "@" + FOLDER.resolve("hook"),
                                Optional.of(WatchFile.Form.ALERTMANAGER)));
    }

    @Test
    void allMistakesAreReportedWithLineAndKey() {
        assertThat(
                        places(
                                """
                                services:
                                  - nam: shop
                                  - {name: orders, pid: 1}
                                  - {name: stock, headroomBelow: 0.5}
                                  - {name: stock, metrics: nowhere}
                                  - name: 4711
                                  - pid: shop
                                out: [a]
                                keep: 0
                                headroomBelow: NaN
                                metricsPort: 65536
                                webhook: {form: slack, secret: x}
                                metrics: true
                                """))
                .contains(
                        "watch.yaml:2 services[0].nam",
                        "watch.yaml:2 services[0].name",
                        "watch.yaml:3 services[1].pid",
                        "watch.yaml:4 services[2].headroomBelow",
                        "watch.yaml:5 services[3].metrics",
                        "watch.yaml:5 services[3].name",
                        "watch.yaml:6 services[4].name",
                        "watch.yaml:7 services[5].pid",
                        "watch.yaml:8 out",
                        "watch.yaml:9 keep",
                        "watch.yaml:10 headroomBelow",
                        "watch.yaml:11 metricsPort",
                        "watch.yaml:12 webhook.url",
                        "watch.yaml:12 webhook.form",
                        "watch.yaml:12 webhook.secret",
                        "watch.yaml:13 metrics");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "services:",
                "services: []",
                "services: shop",
                "services: [shop]",
                "services: [[shop]]",
                "services: {name: shop}",
                "services: [{name: [a]}]",
                "services: [{pid: -1}]",
                "services: [{pid: 99999999999999999999}]",
                "services: [{pid: 2147483648}]",
                "webhook: http://127.0.0.1/",
                "keep: 9999999999",
                "keep: '${JDYNO_NO_SUCH_VARIABLE}'",
                "headroomBelow: Infinity",
                "out: \"a\\0b\"",
                "webhook: {url: \"@a\\0b\"}",
                "- a",
                "a"
            })
    void valuesOfAnotherFormAreMistakes(String text) {
        var problems = new Problems();
        read(text, problems);

        assertThat(problems.list()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "# nothing", "a: 1\n---\nb: 1", "webhook: {url: @hook}", "\tkeep: 1"})
    void textThatIsNoYamlIsRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(UserError.class);
    }

    @Test
    void secretOfVariableIsNotShown(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("watch.yaml");
        Files.writeString(file, "services: [{name: shop, metrics: '${URL}'}]\n");
        var problems = new Problems();
        WatchFile.read(file, _ -> Optional.of("s3cret"), problems);

        assertThat(problems.list()).hasSize(1);
        assertThat(problems.list().getFirst().toString()).doesNotContain("s3cret");
    }

    @Test
    void wordOfCommandLineHasSettingsOfFile() {
        WatchFile file = read("services: [{name: shop, headroomBelow: 2}]");

        assertThat(file.service("shop").headroomBelow()).contains(2.0);
        assertThat(file.service("shop").where()).isEqualTo("shop");
        assertThat(file.service("com.acme.Shop").headroomBelow()).contains(2.0);
        assertThat(file.service("orders").headroomBelow()).isEmpty();
    }

    /// Both are the service `main`.
    @Test
    void sameWordComesBeforeSameService() {
        WatchFile file =
                read(
                        "services: [{name: com.a.Main, headroomBelow: 2},"
                                + " {name: com.b.Main, headroomBelow: 3}]");

        assertThat(file.service("com.b.Main").headroomBelow()).contains(3.0);
        assertThat(file.service("com.a.Main").headroomBelow()).contains(2.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"watch-sidecar.yaml", "watch-node.yaml"})
    void fileOfManifestHasNoMistake(String manifest) throws IOException {
        String text = Files.readString(Path.of("../deploy").resolve(manifest));
        Matcher file =
                Pattern.compile("\n  watch\\.yaml: \\|\n(.*?)\n---\n", Pattern.DOTALL)
                        .matcher(text);

        assertThat(file.find()).isTrue();
        assertThat(read(file.group(1).stripIndent()).services()).isNotEmpty();
    }

    @Test
    void exampleOfPageAndFileOfUnitHaveNoMistake() throws IOException {
        String page = Files.readString(Path.of("../docs/watch.md"));
        Matcher example =
                Pattern.compile("```yaml\n(services:.*?)```", Pattern.DOTALL).matcher(page);

        assertThat(example.find()).isTrue();
        assertThat(read(example.group(1)).services()).hasSizeGreaterThan(1);
        WatchFile ofUnit = read(Files.readString(Path.of("../deploy/watch.yaml")));
        assertThat(ofUnit.services()).isNotEmpty();
        assertThat(ofUnit.out()).contains(Path.of("/var/lib/jdyno-watch/days"));
        assertThat(Files.readString(Path.of("../deploy/jdyno-watch.service")))
                .contains("ExecStart=/opt/jdyno/bin/jdyno watch --config ");
    }
}
