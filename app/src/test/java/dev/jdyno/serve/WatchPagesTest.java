package dev.jdyno.serve;

import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.WatchReport;
import dev.jdyno.watch.DayReader;
import dev.jdyno.watch.RangeSummary;
import dev.jdyno.watch.WatchFixture;
import dev.jdyno.watch.WatchedDays;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WatchPagesTest {
    private static final String DAY = "watch/day?service=shop&day=2026-11-30";
    private static final String RANGE =
            "watch/range?service=shop&from=2026-11-30T14:10:00Z&to=2026-11-30T14:30:00Z";

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Optional<Server> server = Optional.empty();
    private Path days = Path.of("watch");

    @BeforeEach
    void aDay() throws IOException {
        days = WatchFixture.write(folder.resolve("watch"));
        serve();
    }

    private void serve() {
        server.ifPresent(Server::close);
        server =
                Optional.of(
                        Server.start(
                                "127.0.0.1",
                                0,
                                Optional.empty(),
                                new Server.Shown(
                                        History.open(
                                                new Store.File(folder.resolve("h/history.db"))),
                                        Optional.empty(),
                                        Optional.of(new WatchedDays(days)),
                                        GcPages::html,
                                        "test")));
    }

    @AfterEach
    void close() {
        server.ifPresent(Server::close);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.orElseThrow().url()).resolve(path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String page(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private JsonNode json(String path) throws Exception {
        return JsonMapper.shared().readTree(page(path));
    }

    private static int count(String page, String part) {
        return page.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void firstPageLeadsToTheNewestDay() throws Exception {
        assertThat(page("")).contains("\"watch/day?service=shop&amp;day=2026-11-30\"");
        assertThat(page("watch")).contains("day=2026-11-30\"", "day=2026-11-29\"");
        assertThat(json("api/watch").at("/services/0/days").size()).isEqualTo(2);
    }

    @Test
    void dayHasItsStripItsChartsAndItsEvents() throws Exception {
        String day = page(DAY);

        assertThat(count(day, "<rect x=")).as("cells with a minute").isEqualTo(8);
        assertThat(count(day, "fill: var(--b-connection-pool)")).isEqualTo(2);
        assertThat(count(day, "class=\"mark\" x=")).as("gone, restarted").isEqualTo(2);
        assertThat(day).contains("data-chart=\"load\"", "data-chart=\"cpu\"", "day=2026-11-29\"");
        assertThat(day).contains("data-chart=\"headroom\"");
        JsonNode data = json("api/" + DAY);
        assertThat(data.at("/minutes").intValue()).isEqualTo(40);
        assertThat(data.at("/cells").size()).isEqualTo(8);
        assertThat(data.at("/events").size()).isEqualTo(4);
        assertThat(data.at("/cells/2/verdict/where").stringValue()).isEqualTo("orders");
    }

    @Test
    void eachCellLeadsToItsVerdict() throws Exception {
        var link = Pattern.compile("href=\"(range\\?[^\"]+)\" tabindex").matcher(page(DAY));
        int cells = 0;
        while (link.find()) {
            cells++;
            String range = "watch/" + link.group(1).replace("&amp;", "&");
            assertThat(page(range)).contains("class=\"culprit\"");
            assertThat(json("api/" + range).at("/services/0/minutes").intValue()).isEqualTo(5);
        }
        assertThat(cells).isEqualTo(8);
    }

    @Test
    void rangeHasWhatIsStoredOfItsMinutes() throws Exception {
        String range = page(RANGE);

        assertThat(range).contains("connection-pool", "cpu", "orders 10 of 10", "jdyno diagnose");
        assertThat(count(range, "<td class=\"n\">3</td>")).as("dumps of a minute").isEqualTo(20);
        JsonNode verdicts = json("api/" + RANGE).at("/services/0/verdicts");
        assertThat(verdicts.size()).isEqualTo(2);
        assertThat(verdicts.at("/0/minutes").intValue()).isEqualTo(10);
    }

    @Test
    void rangeIsTheDocumentThatDiagnosePrints() throws Exception {
        var from = Instant.parse("2026-11-30T14:10:00Z");
        var to = Instant.parse("2026-11-30T14:30:00Z");
        DayReader.Found found = DayReader.read(days, from, to);
        WatchedRange range =
                RangeSummary.withHeadroom(
                        "shop", from, to, found.minutes().getOrDefault("shop", List.of()));

        String document = page("api/" + RANGE);

        assertThat(document).isEqualTo(WatchReport.json(List.of(range), found.skipped()));
        assertThat(json("api/" + RANGE).at("/services/0/headroom/minutes").intValue())
                .isEqualTo(20);
    }

    @Test
    void rangeWithoutMinuteHasNoVerdict() throws Exception {
        String empty = "watch/range?service=shop&from=2026-11-30T15:00:00Z&to=2026-11-30T15:05:00Z";

        assertThat(page(empty)).doesNotContain("class=\"culprit\"");
        assertThat(get("api/" + empty).statusCode()).isEqualTo(404);
    }

    @Test
    void pageWithoutDayFilesNamesTheCommand() throws Exception {
        days = folder.resolve("none");
        serve();

        assertThat(page("watch")).contains("jdyno watch NAME", days.toString());
        assertThat(page("")).doesNotContain("watch/day").contains("href=\"watch\"");
        assertThat(json("api/watch").at("/services").size()).isZero();
        assertThat(get(DAY).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "watch/day 400",
                "watch/day?service=shop 400",
                "watch/day?service=shop&day=today 400",
                "watch/day?service=shop&day=2026-11-28 404",
                "watch/day?service=orders&day=2026-11-30 404",
                "watch/day?service=..%2Fwatch%2Fshop&day=2026-11-30 404",
                "watch/day?service=%00&day=2026-11-30 404",
                "watch/day?service=shop&day=%2B999999999-12-31 404",
                "watch/range?service=shop&from=2026-11-30T14:10:00Z 400",
                "watch/range?service=shop&from=2026-11-30T14:10:00Z&to=2026-11-30T14:10:00Z 400",
                "watch/range?service=shop&from=2026-11-30T14:10:00Z&to=2026-12-01T00:00:01Z 400",
                "watch/range?service=shop&from=x&to=y 400",
                "watch/range?service=shop&from=%2B1000000000-12-31T00:00:00Z&to=%2B1000000000-12-31T23:59:59Z 400"
            })
    void invalidRequestsAreClientErrors(String request) throws Exception {
        String[] words = request.split(" ");

        assertThat(get(words[0]).statusCode()).isEqualTo(Integer.parseInt(words[1]));
        assertThat(get("api/" + words[0]).statusCode()).isEqualTo(Integer.parseInt(words[1]));
    }

    @Test
    void hostileFileIsCountedAndEscaped() throws Exception {
        String script = "<script>alert(1)</script>";
        Path file = days.resolve("shop-2026-11-30.jsonl");
        String line = minute(40).named(Bottleneck.LOCK).line();
        List<String> bad =
                List.of(
                        script,
                        "[".repeat(60_000),
                        "a".repeat(100_000),
                        "\u0000\u001b[2J",
                        line.replace("\"shop\"", "\"orders\""),
                        line.replace("2026-11-30", "2026-11-29"),
                        line.replace("\"pools\":[]", "\"pools\":[null]"),
                        "{\"schema\":\"jdyno/event/1\",\"event\":\"bottleneck\"}",
                        "{\"schema\":\"jdyno/event/1\",\"at\":\"2026-11-30T14:00:00Z\","
                                + "\"service\":\"shop\",\"event\":\"restarted\",\"pid\":1}");
        Files.write(file, bad, StandardOpenOption.APPEND);
        Files.write(
                file,
                List.of(line.replace("\"where\":\"\"", "\"where\":\"" + script + "\"")),
                StandardOpenOption.APPEND);

        String day = page(DAY);

        assertThat(day).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
        JsonNode data = json("api/" + DAY);
        assertThat(data.at("/damaged").intValue()).isEqualTo(bad.size());
        assertThat(data.at("/minutes").intValue()).isEqualTo(41);
        assertThat(day).contains("cannot be read: " + bad.size());
        assertThat(page(RANGE)).contains("cannot be read: " + bad.size());
    }

    @Test
    void furtherMinutesThanADayHasAreLeftOutAndCounted() throws Exception {
        String line = minute(0).line() + "\n";
        Files.writeString(
                days.resolve("shop-2026-11-30.jsonl"),
                line.repeat(6000),
                StandardOpenOption.APPEND);

        JsonNode data = json("api/" + DAY);

        assertThat(data.at("/minutes").intValue() + data.at("/leftOut").intValue()).isEqualTo(6040);
        assertThat(data.at("/leftOut").intValue()).isPositive();
        assertThat(page(DAY)).contains("left out: " + data.at("/leftOut").intValue());
    }

    @Test
    void linkAndFolderInPlaceOfFileAreRefused() throws Exception {
        Files.createSymbolicLink(days.resolve("orders-2026-11-30.jsonl"), Path.of("/dev/zero"));
        Files.createDirectory(days.resolve("stock-2026-11-30.jsonl"));

        assertThat(page("watch")).contains("service=orders", "service=stock");
        for (String service : List.of("orders", "stock")) {
            String path = DAY.replace("shop", service);
            assertThat(get(path).statusCode()).as(service).isEqualTo(404);
            assertThat(get(path).body()).contains("regular file");
        }
    }
}
