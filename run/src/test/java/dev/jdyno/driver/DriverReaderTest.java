package dev.jdyno.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.statistics.Latency;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverReaderTest {
    private static final DriverOutput.Window SECOND =
            new DriverOutput.Window(1_700_000_000_000L, 1_700_000_001_000L);

    @TempDir private Path folder;

    private static String resource(String name) {
        try (InputStream in = DriverReaderTest.class.getResourceAsStream("/driver/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Optional<DriverReport> read(String printed, Optional<String> file) throws IOException {
        Path out = Files.writeString(folder.resolve("out"), printed);
        Path results = folder.resolve("results");
        if (file.isPresent()) {
            Files.writeString(results, file.get());
        } else {
            Files.deleteIfExists(results);
        }
        return DriverReader.readAny(new DriverOutput(out, results, SECOND));
    }

    private DriverReport printed(String text) throws IOException {
        return read(text, Optional.empty()).orElseThrow();
    }

    private DriverReport written(String text) throws IOException {
        return read("", Optional.of(text)).orElseThrow();
    }

    @Test
    void readsOutputOfWrk() throws IOException {
        DriverReport r = printed(resource("wrk.txt"));

        assertThat(r.source()).isEqualTo("wrk");
        assertThat(r.requests()).isEqualTo(92);
        assertThat(r.errors()).isZero();
        assertThat(r.seconds()).isEqualTo(1.01);
        assertThat(r.bytes()).hasValue(Math.round(10.86 * 1024));
        Latency l = r.latency().orElseThrow();
        assertThat(l.mean()).as("of requests that wrk did not send, too").isNaN();
        assertThat(l.p50()).isEqualTo(43.94);
        assertThat(l.p90()).isEqualTo(47.53);
        assertThat(l.p99()).isEqualTo(48.04);
        assertThat(l.p999()).isNaN();
        assertThat(l.max()).isEqualTo(48.04);
        assertThat(r.missing()).anyMatch(m -> m.startsWith("p99.9"));
        assertThat(r.missing()).contains(DriverErrors.NO_INTENDED_START);
    }

    @Test
    void readsMeanOfWrkWithoutPercentiles() throws IOException {
        DriverReport r = printed(resource("wrk-without-percentiles.txt"));

        assertThat(r.latency().orElseThrow().max()).isPositive();
        assertThat(r.latency().orElseThrow().p50()).isNaN();
        assertThat(r.missing()).anyMatch(m -> m.contains("--latency"));
    }

    @Test
    void readsFailuresOfWrk() throws IOException {
        DriverReport notFound = printed(resource("wrk-404.txt"));
        assertThat(notFound.requests()).isZero();
        assertThat(notFound.errorKinds()).isEqualTo(Map.of("status", 92L));

        DriverReport late = printed(resource("wrk-timeouts.txt"));
        assertThat(late.requests()).isZero();
        assertThat(late.errorKinds()).isEqualTo(Map.of("timeout", 4L));

        assertThat(read(resource("wrk-refused.txt"), Optional.empty())).isEmpty();
    }

    @Test
    void readsPercentilesOfWrk2() throws IOException {
        DriverReport r =
                printed(
                        """
                        Running 10s test @ http://127.0.0.1:80/
                            Latency     1.10ms  500.00us   9.00ms   70.00%
                         50.000%    1.00ms
                         90.000%    2.00ms
                         99.000%    3.50ms
                         99.900%    7.25ms
                          20000 requests in 10.00s, 1.00MB read
                        """);

        assertThat(r.latency().orElseThrow().p999()).isEqualTo(7.25);
        assertThat(r.latency().orElseThrow().p50()).isEqualTo(1);
        assertThat(r.bytes()).hasValue(1L << 20);
    }

    @Test
    void readsAbWithItsFile() throws IOException {
        DriverReport r = read(resource("ab.txt"), Optional.of(resource("ab.csv"))).orElseThrow();

        assertThat(r.source()).isEqualTo("ab");
        assertThat(r.requests()).isEqualTo(1592);
        assertThat(r.seconds()).isEqualTo(1.003);
        assertThat(r.bytes()).hasValue(1119176L);
        Latency l = r.latency().orElseThrow();
        assertThat(l.mean()).isEqualTo(2.521);
        assertThat(l.p50()).isEqualTo(1.697);
        assertThat(l.p90()).isEqualTo(5.251);
        assertThat(l.p99()).isEqualTo(9.908);
        assertThat(l.max()).isEqualTo(14.846);
        assertThat(r.missing()).noneMatch(m -> m.contains("-e {out}"));
    }

    @Test
    void abWithoutItsFileCountsWholeMilliseconds() throws IOException {
        DriverReport r = printed(resource("ab.txt"));

        assertThat(r.latency().orElseThrow().p50()).isEqualTo(2);
        assertThat(r.latency().orElseThrow().max()).isEqualTo(15);
        assertThat(r.missing()).anyMatch(m -> m.contains("-e {out}"));
    }

    @Test
    void readsFailuresOfAb() throws IOException {
        DriverReport r = printed(resource("ab-404.txt"));

        assertThat(r.requests()).isZero();
        assertThat(r.errorKinds()).isEqualTo(Map.of("status", 2216L));
    }

    @Test
    void aReplyOfAnotherLengthIsNoFailureOfAb() throws IOException {
        String text =
                resource("ab.txt")
                        .replace(
                                "Failed requests:        0",
                                "Failed requests:        12\n"
                                        + "   (Connect: 0, Receive: 2, Length: 10, Exceptions: 0)");

        assertThat(printed(text).requests()).isEqualTo(1590);
        assertThat(printed(text).errorKinds()).isEqualTo(Map.of("failed", 2L));
    }

    @Test
    void readsOutputOfOha() throws IOException {
        DriverReport r =
                printed(
                        """
                        {"summary": {"successRate": 1.0, "total": 2.0, "slowest": 0.05,
                          "fastest": 0.001, "average": 0.004, "requestsPerSec": 501.0,
                          "totalData": 4000, "sizePerRequest": 4, "sizePerSec": 2000.0},
                         "latencyPercentiles": {"p50": 0.003, "p90": 0.006, "p99": 0.02,
                          "p99.9": 0.04},
                         "statusCodeDistribution": {"200": 1000, "503": 2},
                         "errorDistribution": {"aborted due to deadline": 8, "refused": 1}}
                        """);

        assertThat(r.source()).isEqualTo("oha");
        assertThat(r.requests()).isEqualTo(1000);
        assertThat(r.errorKinds()).isEqualTo(Map.of("status-503", 2L, "failed", 1L));
        assertThat(r.perSecond()).isEqualTo(500);
        assertThat(r.latency().orElseThrow().p999()).isEqualTo(40, within(1e-9));
        assertThat(r.latency().orElseThrow().mean()).isEqualTo(4, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsSummaryOfK6(boolean nested) throws IOException {
        String of = nested ? "\"values\": {" : "";
        String end = nested ? "}" : "";
        DriverReport r =
                written(
                        ("{\"metrics\": {\"http_reqs\": {%s\"count\": 900, \"rate\": 300.0%s},"
                                        + " \"http_req_failed\": {%s\"passes\": 9, \"fails\": 891,"
                                        + " \"rate\": 0.01%s}, \"http_req_duration\": {%s\"avg\": 5.5,"
                                        + " \"min\": 1, \"med\": 5, \"max\": 20, \"p(90)\": 8,"
                                        + " \"p(95)\": 9%s}}}")
                                .formatted(of, end, of, end, of, end));

        assertThat(r.requests()).isEqualTo(891);
        assertThat(r.errorKinds()).isEqualTo(Map.of("failed", 9L));
        assertThat(r.seconds()).isEqualTo(3);
        assertThat(r.latency().orElseThrow().p50()).isEqualTo(5);
        assertThat(r.latency().orElseThrow().p99()).isNaN();
        assertThat(r.bytes()).as("its users may sleep").isEmpty();
        assertThat(r.missing()).anyMatch(m -> m.contains("--summary-trend-stats"));
    }

    @Test
    void k6sPointsAsJsonOfTheWindow() throws IOException {
        DriverReport r =
                written(
                        """
                        {"type":"Metric","data":{"name":"http_req_duration"},"metric":"http_req_duration"}
                        {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:20.5Z","value":12.5,"tags":{"expected_response":"true","status":"200"}}}
                        {"metric":"http_req_waiting","type":"Point","data":{"time":"2023-11-14T22:13:20.5Z","value":11,"tags":{"status":"200"}}}
                        {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:20.7Z","value":1,"tags":{"expected_response":"false","status":"503"}}}
                        {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:29Z","value":3,"tags":{"expected_response":"true","status":"200"}}}
                        {"metric":"http_req_duration","type":"Point","data":{"time":"now","value":3}}
                        """);

        assertThat(r.requests()).isEqualTo(1);
        assertThat(r.errorKinds()).isEqualTo(Map.of("status-503", 1L));
        assertThat(r.latencyNanos().orElseThrow().getMean()).isEqualTo(12.5e6, within(1e4));
        assertThat(r.seconds()).isEqualTo(1);
        assertThat(r.missing()).anyMatch(m -> m.startsWith("1 of 4 lines"));
    }

    @Test
    void readsCsvOfK6() throws IOException {
        DriverReport r =
                written(
                        """
                        metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata
                        http_reqs,1700000000500,1.000000,,,,true,,GET,http://a/,HTTP/1.1,default,,200,,,http://a/,,
                        http_req_duration,1700000000500,4.250000,,,,true,,GET,http://a/,HTTP/1.1,default,,200,,,http://a/,,
                        http_req_duration,1700000000500,9.000000,,,1503,false,,GET,http://a/,HTTP/1.1,default,,503,,,http://a/,,
                        http_req_duration,1700000009000,5.000000,,,,true,,GET,http://a/,HTTP/1.1,default,,200,,,http://a/,,
                        """);

        assertThat(r.requests()).isEqualTo(1);
        assertThat(r.errorKinds()).isEqualTo(Map.of("status-503", 1L));
        assertThat(r.latencyNanos().orElseThrow().getMaxValue())
                .isCloseTo(4_250_000L, within(5_000L));
    }

    @Test
    void k6sWholeSecondsAreRefusedWithTheSetting() {
        assertThatThrownBy(() ->
                        written(
                                """
                                metric_name,timestamp,metric_value,status
                                http_req_duration,1700000000,4.25,200
                                """))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("K6_CSV_TIME_FORMAT");
    }

    @Test
    void jmetersRowsOfTheWindow() throws IOException {
        DriverReport r =
                written(
                        """
                        timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect
                        1700000000100,20,home,200,OK,Users 1-1,text,true,,518,117,2,2,http://a/,20,0,1
                        1700000000200,30,"a, ""b"" c",500,Error,Users 1-1,text,false,"no, it failed",518,117,2,2,http://a/,30,0,0
                        1700000000300,40,home,Non HTTP response code: java.net.ConnectException,refused,Users 1-2,text,false,,0,0,2,2,http://a/,0,0,40
                        1700000000990,20,home,200,OK,Users 1-1,text,true,,518,117,2,2,http://a/,20,0,0
                        1700000000400,x,home,200,OK
                        """);

        assertThat(r.source()).isEqualTo("jtl");
        assertThat(r.requests()).as("the fourth ended after the window").isEqualTo(1);
        assertThat(r.errorKinds()).isEqualTo(Map.of("status-500", 1L, "failed", 1L));
        assertThat(r.sentInAll()).isEqualTo(4);
        assertThat(r.sent().orElseThrow().firstMs()).isEqualTo(1_700_000_000_120.0);
        assertThat(r.missing()).anyMatch(m -> m.startsWith("1 of 5 lines"));
    }

    @Test
    void readsRowsOfJmeter() throws IOException {
        Path out = Files.writeString(folder.resolve("out"), "summary = 67 in 00:00:02");
        Path results = Files.writeString(folder.resolve("results"), resource("jmeter.csv"));
        var second = new DriverOutput.Window(1_795_947_905_500L, 1_795_947_906_500L);
        DriverReport r = DriverReader.readAny(new DriverOutput(out, results, second)).orElseThrow();

        assertThat(r.sentInAll()).isEqualTo(67);
        assertThat(r.requests()).isEqualTo(43);
        assertThat(r.latencyNanos().orElseThrow().getMean() / 1e6).isEqualTo(45.07, within(0.1));
        assertThat(r.errors()).isZero();
        assertThat(written(resource("jmeter-404.csv")).sentInAll()).isEqualTo(5);
        assertThat(written(resource("jmeter-404.csv")).requests()).isZero();
    }

    private DriverReport ghz(String json, DriverOutput.Window window) throws IOException {
        Path out = Files.writeString(folder.resolve("out"), "");
        Path results = Files.writeString(folder.resolve("results"), json);
        return DriverReader.readAny(new DriverOutput(out, results, window)).orElseThrow();
    }

    @Test
    void readsCallsOfGhz() throws IOException {
        DriverReport r = ghz(resource("ghz.json"), new DriverOutput.Window(0, Long.MAX_VALUE));

        assertThat(r.source()).isEqualTo("ghz");
        assertThat(r.sentInAll()).isEqualTo(100);
        assertThat(r.requests()).isEqualTo(90);
        assertThat(r.errorKinds())
                .isEqualTo(Map.of("grpc-not-found", 5L, "grpc-deadline-exceeded", 5L));
        assertThat(r.latencyNanos().orElseThrow().getMean() / 1e6).isEqualTo(3.5956, within(0.01));
        assertThat(r.latency()).isEmpty();
        assertThat(r.bytes()).isEmpty();
        assertThat(r.missing()).containsExactly(DriverErrors.NO_INTENDED_START);
        assertThat(printed(resource("ghz.json")).sentInAll()).as("without {out}").isEqualTo(100);
    }

    @Test
    void readsCallsOfGhzInTheWindow() throws IOException {
        DriverReport r =
                ghz(
                        """
                        {
                          "date": "2023-11-14T22:13:22Z", "endReason": "timeout",
                          "options": {"call": "shop.Prices/price", "data": [{"details": []}]},
                          "count": 6, "total": 2000000000, "average": 1, "rps": 3.0,
                          "errorDistribution": {"rpc error": 2},
                          "statusCodeDistribution": {"OK": 3, "Canceled": 2, "Code(40)": 1},
                          "latencyDistribution": null, "histogram": null,
                          "details": [
                            {"timestamp": "2023-11-14T22:13:19.9Z", "latency": 1, "error": "", "status": "OK"},
                            {"timestamp": "2023-11-14T23:13:20.5+01:00", "latency": 12500000, "error": "", "status": "OK"},
                            {"timestamp": "2023-11-14T22:13:20.6Z", "latency": 1, "error": "a", "status": "Canceled"},
                            {"timestamp": "2023-11-14T22:13:20.6Z", "latency": 1, "error": "a", "status": "Code(40)"},
                            {"timestamp": "2023-11-14T22:13:20.7Z", "latency": 1, "error": "a", "status": ""},
                            {"timestamp": "now", "latency": 1, "status": "OK"}
                          ]
                        }
                        """,
                        SECOND);

        assertThat(r.requests()).isEqualTo(1);
        assertThat(r.errorKinds())
                .isEqualTo(Map.of("grpc-cancelled", 1L, "grpc-unknown", 1L, "failed", 1L));
        assertThat(r.latencyNanos().orElseThrow().getMean()).isEqualTo(12.5e6, within(1e4));
        assertThat(r.sentInAll()).isEqualTo(5);
        assertThat(r.missing()).anyMatch(m -> m.startsWith("1 of 6 lines"));
    }

    /// ghz lists no more than a million calls.
    @Test
    void summaryOfGhzCountsIfCallsAreNotListed() throws IOException {
        DriverReport r =
                written(
                        """
                        {"date":"2023-11-14T22:13:22Z","count":1500000,"total":20000000000,
                        "average":2000000,"fastest":1,"slowest":90000000,"rps":75000,
                        "statusCodeDistribution":{"OK":1400000,"Unavailable":100000},
                        "latencyDistribution":[{"percentage":50,"latency":1000000},
                        {"percentage":90,"latency":3000000},{"percentage":99,"latency":9000000}],
                        "details":[{"timestamp":"2023-11-14T22:13:20.5Z","latency":1,"status":"OK"}]}
                        """);

        assertThat(r.requests()).isEqualTo(1_400_000);
        assertThat(r.errorKinds()).isEqualTo(Map.of("grpc-unavailable", 100_000L));
        assertThat(r.seconds()).isEqualTo(20);
        assertThat(r.latency()).hasValue(new Latency(2, 1, 3, 9, Double.NaN, 90));
        assertThat(r.missing()).anyMatch(m -> m.contains("1 of the 1500000 calls"));
    }

    @Test
    void ghzWithoutCallsHasSentNothing() throws IOException {
        DriverReport r =
                printed(
                        "{\"date\":\"2023-11-14T22:13:22Z\",\"count\":0,\"rps\":0,"
                                + "\"statusCodeDistribution\":{},\"details\":null}");

        assertThat(r.sentInAll()).isZero();
    }

    @Test
    void cutJsonOfGhzIsRefused() {
        String whole = resource("ghz.json");

        assertThatThrownBy(() -> written(whole.substring(0, whole.length() - 100)))
                .isInstanceOf(Malformed.class);
    }

    @Test
    void readsTextLogOfGatling() throws IOException {
        DriverReport r =
                written(
                        """
                        RUN\tShop\tshop\t1700000000000\t \t3.9.5
                        USER\tUsers\tSTART\t1700000000001
                        REQUEST\t\thome\t1700000000010\t1700000000030\tOK\t\s
                        REQUEST\tgroup,inner\tcart\t1700000000010\t1700000000050\tKO\tstatus 500
                        REQUEST\t1\t\thome\t1700000000100\t1700000000110\tOK\t\s
                        REQUEST\tcut
                        """);

        assertThat(r.source()).isEqualTo("gatling");
        assertThat(r.requests()).isEqualTo(2);
        assertThat(r.errorKinds()).isEqualTo(Map.of("failed", 1L));
        assertThat(r.latencyNanos().orElseThrow().getMean()).isEqualTo(15e6, within(1e5));
        assertThat(r.missing()).anyMatch(m -> m.startsWith("1 of 4 lines"));
    }

    @Test
    void gatlingsBinaryLogIsNamed() {
        assertThatThrownBy(() -> written("\0\0\0\0063.13.1 and bytes"))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("3.12");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello\n", "{}", "{\"a\": 1}", "[1, 2]", "requests in 1s"})
    void refusesUnknownOutput(String text) throws IOException {
        assertThat(read(text, Optional.empty())).isEmpty();
        assertThat(read("", Optional.of(text))).isEmpty();
    }

    /// Bytes changed, removed or doubled at random: the result is a report, no report, or a
    /// refusal. It is never another exception or a negative count.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsOrRefusesBrokenOutput(long seed) throws IOException {
        var random = new SplittableRandom(seed);
        for (String name :
                new String[] {
                    "wrk.txt", "wrk-timeouts.txt", "ab.txt", "ab-404.txt", "ab.csv", "ghz.json"
                }) {
            for (int i = 0; i < 40; i++) {
                byte[] bytes = resource(name).getBytes(StandardCharsets.UTF_8);
                for (int k = 0; k < 1 + random.nextInt(6); k++) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(32, 127);
                }
                String text =
                        new String(
                                bytes, 0, random.nextInt(1, bytes.length), StandardCharsets.UTF_8);
                try {
                    Optional<DriverReport> report =
                            name.endsWith("csv")
                                    ? read(resource("ab.txt"), Optional.of(text))
                                    : read(text, Optional.empty());
                    report.ifPresent(r -> assertThat(r.requests()).isNotNegative());
                } catch (Malformed refused) {
                    assertThat(refused.kind()).isNotBlank();
                }
            }
        }
    }

    @Test
    void aValueThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> printed(resource("wrk.txt").replace("43.12ms", "1.2.3ms")))
                .isInstanceOf(Malformed.class);
    }
}
