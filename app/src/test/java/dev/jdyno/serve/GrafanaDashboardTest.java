package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFixture;
import dev.jdyno.history.Kind;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The dashboard in `examples` uses only metrics that `/metrics` exposes.
class GrafanaDashboardTest {
    private static final JsonNode DASHBOARD =
            JsonMapper.shared().readTree(Path.of("../examples/grafana/jdyno.json").toFile());

    private static final Pattern METRIC = Pattern.compile("\\bjdyno_\\w+");

    /// Matches `# TYPE jdyno_figure gauge`.
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) gauge$");

    /// Matches `plan="shop"` and `plan=~"$plan"`.
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=~|!~|!=|=)\"([^\"]*)\"");

    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern FIGURE = Pattern.compile("figure=\"([^\"]*)\",unit=\"([^\"]*)\"");

    /// Matches Grafana's function `label_values`, whose arguments are not label matchers.
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");

    private static List<String> expressions() {
        List<String> found = new ArrayList<>();
        DASHBOARD.findValues("expr").forEach(e -> found.add(e.stringValue()));
        for (JsonNode variable : DASHBOARD.at("/templating/list")) {
            JsonNode query = variable.at("/query/query");
            if (query.isString()) {
                assertThat(query).isEqualTo(variable.get("definition"));
                found.add(query.stringValue());
            }
        }
        return found;
    }

    /// The metrics page of a real result with all its figures, and of a comparison.
    private static String page() throws IOException {
        var result =
                ResultJson.read(Path.of("../report/src/test/resources/report/json/complete.json"));
        Entry run =
                Entries.of(
                        result,
                        new Entries.Origin(
                                Instant.EPOCH,
                                "jdyno run",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
        Entry compared =
                new EntryFixture("b", Kind.COMPARE, "shop", Instant.EPOCH)
                        .figures(List.of(new Entry.Figure("qps", "ratio", 1.1, Optional.empty())))
                        .entry();
        return OpenMetrics.of(List.of(run, compared));
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(m -> m.group(m.groupCount() > 0 ? 1 : 0))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyShownMetricIsExposedAndEveryExposedMetricIsShown() throws IOException {
        assertThat(all(METRIC, String.join("\n", expressions())))
                .isEqualTo(all(TYPE, page()))
                .hasSizeGreaterThan(1);
    }

    @Test
    void everyLabelIsExposed() throws IOException {
        Set<String> exposed = all(MATCHER, page());
        Set<String> asked = new TreeSet<>();
        for (String expression : expressions()) {
            asked.addAll(all(MATCHER, expression));
            for (String group : all(GROUPING, expression)) {
                asked.addAll(List.of(group.split(", ")));
            }
            LABEL_VALUES.matcher(expression).results().forEach(m -> asked.add(m.group(2)));
        }

        assertThat(asked).contains("plan", "figure", "unit");
        assertThat(exposed).containsAll(asked);
    }

    @Test
    void everyFigureHasItsUnit() throws IOException {
        Set<String> exposed = figures(page());
        for (Metric metric : Metric.values()) {
            if (Metric.Load.USUAL.contains(metric.load())) {
                exposed.add(metric.key() + " in " + metric.unit());
            }
        }
        Set<String> asked = figures(String.join("\n", expressions()));

        assertThat(asked).hasSizeGreaterThan(5);
        assertThat(exposed).containsAll(asked);
    }

    private static Set<String> figures(String text) {
        return FIGURE.matcher(text)
                .results()
                .map(m -> m.group(1) + " in " + m.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// What Grafana's schema of dashboards requires (kinds/dashboard/dashboard_kind.cue), so that
    /// an import takes the file as it is.
    @Test
    void dashboardHasTheFormThatGrafanaImports() {
        assertThat(DASHBOARD.get("title").stringValue()).isNotEmpty();
        assertThat(DASHBOARD.get("uid").stringValue()).matches("[a-zA-Z0-9_-]{8,40}");
        assertThat(DASHBOARD.get("schemaVersion").isInt()).isTrue();
        assertThat(DASHBOARD.get("version").isInt()).isTrue();
        assertThat(DASHBOARD.has("__inputs")).as("the variable replaces inputs").isFalse();
        assertThat(DASHBOARD.at("/templating/list/0/type").stringValue()).isEqualTo("datasource");
        assertThat(DASHBOARD.at("/templating/list/0/name").stringValue()).isEqualTo("datasource");
        for (JsonNode source : DASHBOARD.findValues("datasource")) {
            assertThat(source.get("type").stringValue()).isEqualTo("prometheus");
            assertThat(source.get("uid").stringValue()).isEqualTo("${datasource}");
        }
        for (JsonNode annotation : DASHBOARD.at("/annotations/list")) {
            assertThat(annotation.propertyNames())
                    .contains("name", "datasource", "enable", "iconColor");
            assertThat(annotation.get("expr")).isEqualTo(annotation.at("/target/expr"));
        }
        for (JsonNode panel : DASHBOARD.get("panels")) {
            assertThat(panel.propertyNames())
                    .contains("id", "type", "title", "datasource", "gridPos", "options", "targets");
            assertThat(panel.at("/fieldConfig/defaults").isObject()).isTrue();
            assertThat(panel.at("/fieldConfig/overrides").isArray()).isTrue();
            Set<String> ids = new TreeSet<>();
            for (JsonNode target : panel.get("targets")) {
                assertThat(target.propertyNames()).contains("refId", "datasource", "expr");
                assertThat(ids.add(target.get("refId").stringValue())).isTrue();
            }
            if (panel.get("type").stringValue().equals("timeseries")) {
                assertThat(panel.at("/options/legend").propertyNames())
                        .containsExactlyInAnyOrder(
                                "showLegend", "displayMode", "placement", "calcs");
            }
        }
    }

    @Test
    void panelsHaveTheirOwnIdAndDoNotOverlap() {
        Set<Integer> ids = new TreeSet<>();
        Set<String> cells = new TreeSet<>();
        int area = 0;
        for (JsonNode panel : DASHBOARD.get("panels")) {
            assertThat(ids.add(panel.get("id").intValue())).isTrue();
            JsonNode at = panel.get("gridPos");
            area += at.get("w").intValue() * at.get("h").intValue();
            for (int x = 0; x < at.get("w").intValue(); x++) {
                for (int y = 0; y < at.get("h").intValue(); y++) {
                    int column = at.get("x").intValue() + x;
                    assertThat(column).isLessThan(24);
                    cells.add(column + " " + (at.get("y").intValue() + y));
                }
            }
        }
        assertThat(ids).isNotEmpty();
        assertThat(cells).hasSize(area);
    }
}
