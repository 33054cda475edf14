package dev.jdyno.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Poll;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadFileTest {
    @TempDir Path folder;

    @Test
    void readsCompleteWorkload() throws IOException {
        Files.writeString(
                folder.resolve("users.csv"), "name,city\nann,\"Bonn, am Rhein\"\nbob,Ulm\n");
        Path file =
                Files.writeString(
                        folder.resolve("w.yaml"),
                        """
                        journeys:
                          - name: buy
                            weight: 3
                            steps:
                              - name: login
                                path: /login
                                method: PUT
                                headers: {Content-Type: application/json}
                                body: '{"user": "${name}"}'
                                check: {status: 201, contains: token, json: /state=open, bytes: 10}
                                take: {token: json /token, place: header Location, n: 'regex id=(\\d+)'}
                              - path: /orders?token=${token}
                                poll:
                                  path: /orders/${n}
                                  until: {header: x-state=shipped}
                                  every: 50ms
                        data: {file: users.csv, order: unique}
                        """);

        Workload w = WorkloadFile.read(file, Environment.NONE);

        assertThat(w.data().order()).isEqualTo(Workload.RowOrder.UNIQUE);
        assertThat(w.data().rows())
                .containsExactly(
                        Map.of("name", "ann", "city", "Bonn, am Rhein"),
                        Map.of("name", "bob", "city", "Ulm"));
        var login = w.journeys().getFirst().steps().getFirst();
        assertThat(w.journeys().getFirst().weight()).isEqualTo(3);
        assertThat(login.method()).isEqualTo("PUT");
        assertThat(login.headers())
                .containsExactlyEntriesOf(Map.of("Content-Type", "application/json"));
        assertThat(login.checks())
                .containsExactly(
                        new Check.Status(201), new Check.Contains("token"),
                        new Check.JsonEquals("/state", "open"), new Check.BodyAtLeast(10));
        assertThat(login.takes())
                .hasSize(3)
                .contains(new Take.Json("token", "/token"), new Take.Header("place", "Location"));
        var orders = w.journeys().getFirst().steps().getLast();
        assertThat(orders.name()).isEqualTo("buy GET /orders?token=${token}");
        assertThat(orders.poll())
                .contains(
                        new Poll(
                                "GET",
                                "/orders/${n}",
                                Map.of(),
                                "",
                                List.of(new Check.HeaderEquals("x-state", "shipped")),
                                Duration.ofMillis(50),
                                Poll.WITHIN));
    }

    @Test
    void reportsLinesOfAllMistakes() {
        String text =
                """
                journeys:
                  - wieght: 2
                    steps:
                      - path: orders
                        check: {status: fine}
                        take: {x: cookie y}
                        poll: {every: 0.1, within: 0s}
                  - name: empty
                data: {order: alphabetical}
                """;

        assertThatThrownBy(() -> WorkloadFile.parse("w.yaml", folder, text))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(
                        "w.yaml:2",
                        "wieght",
                        "weight",
                        "w.yaml:4",
                        "orders",
                        "w.yaml:5",
                        "fine",
                        "cookie",
                        "w.yaml:7",
                        "poll.path",
                        "no condition",
                        "'0.1'",
                        "'0s'",
                        "steps",
                        "file");
    }

    @Test
    void replayReplacesJourneysAndData() throws IOException {
        Path log =
                Files.writeString(
                        folder.resolve("access.log"),
                        "::1 - - [10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5\n");

        Workload w = WorkloadFile.parse("w.yaml", folder, "replay: {file: access.log, speed: 2}");

        assertThat(w.replay().orElseThrow().file()).isEqualTo(log);
        assertThat(w.replay().orElseThrow().speed()).isEqualTo(2);
        assertThat(w.timetable()).isPresent();
        assertThatThrownBy(() ->
                        WorkloadFile.parse(
                                "w.yaml",
                                folder,
                                """
                                replay: {file: none.log, speed: 0}
                                journeys: []
                                """))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(
                        "w.yaml:1", "none.log", "no speed", "w.yaml:2", "journeys");
    }
}
