package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedConnectionsTest {
    private static final Set<End> ACCEPTED = Set.of(new End(8080, "127.0.0.1:40001"));

    private static String connection(int clientPort, int sendQueue, String known) {
        return """
        0 %d 127.0.0.1:8080 127.0.0.1:%d
        \t cubic %s
        """
                .formatted(sendQueue, clientPort, known);
    }

    private static double inside(String output) {
        var accepted = new AcceptedConnections();
        accepted.add(SocketStatistics.parse(output), ACCEPTED);
        return accepted.inside().of(Sign.REQUESTS_INSIDE).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | lastsnd:300 lastrcv:40 lastack:40 bytes_received:9 | 1 | a request, 40 ms ago",
                "0 | lastsnd:8 lastrcv:40 lastack:8 bytes_received:9 | 0 | its answer, 8 ms ago",
                "0 | lastsnd:80 lastrcv:80 lastack:80 bytes_received:9 | 1 | sent as the answer came",
                "0 | lastsnd:80 lastrcv:80 lastack:40 bytes_received:9 | 0 | the answer came within a"
                        + " tick and was acknowledged by a timer",
                "900 | lastsnd:4 lastrcv:4 lastack:4 bytes_received:9 | 0 | an answer not yet taken",
                "0 | lastsnd:9000 lastrcv:9000 lastack:9000 bytes_received:9 | 0 | rests since long",
                "0 | lastsnd:50 lastrcv:50 lastack:50 | 0 | opened, and nothing asked yet"
            })
    void connectionHasRequestIfLastSegmentWasReceived(
            int sendQueue, String known, double inside, String why) {
        assertThat(inside(connection(40001, sendQueue, known))).as(why).isEqualTo(inside);
    }

    @Test
    void connectionsOfOtherProcessesAreNotCounted() {
        assertThat(inside(connection(40002, 0, "lastsnd:300 lastrcv:40 bytes_received:9")))
                .isZero();
    }

    @Test
    void countIsTheMeanOverSamples() {
        var accepted = new AcceptedConnections();
        String asked = connection(40001, 0, "lastsnd:300 lastrcv:40 bytes_received:9");
        String answered = connection(40001, 0, "lastsnd:4 lastrcv:40 bytes_received:9");
        accepted.add(SocketStatistics.parse(asked), ACCEPTED);
        accepted.add(SocketStatistics.parse(answered), ACCEPTED);

        assertThat(accepted.inside().of(Sign.REQUESTS_INSIDE)).contains(0.5);
        assertThat(new AcceptedConnections().inside().values()).isEmpty();
    }

    private static final String UNCLEAR = "lastsnd:400 lastrcv:400 lastack:400";
    private static final String RESTS = "lastsnd:2000 lastrcv:2000 lastack:2000";
    private static final String PAUSES = "lastsnd:396 lastrcv:400 lastack:396";

    /// @param samples of connections 1, 2 … of one client host; all are accepted
    private static double inside(List<List<String>> samples) {
        var accepted = new AcceptedConnections();
        for (List<String> sample : samples) {
            var output = new StringBuilder();
            var ends = new HashSet<End>();
            for (int i = 0; i < sample.size(); i++) {
                int port = 40001 + i;
                output.append(
                        connection(port, 0, sample.get(i) + " bytes_sent:9 bytes_received:9"));
                ends.add(new End(8080, "127.0.0.1:" + port));
            }
            accepted.add(SocketStatistics.parse(output.toString()), ends);
        }
        return accepted.inside().of(Sign.REQUESTS_INSIDE).orElseThrow();
    }

    /// Requests of 2 ms that come each 0.5 s: half of them are answered within the tick in which
    /// they came.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lastsnd:396 lastrcv:400 lastack:396 | 0 | its answer was sent a tick later",
                "lastsnd:50 lastrcv:54 lastack:50 | 0 | the shortest pause",
                "lastsnd:49 lastrcv:54 lastack:49 | 0.5 | no pause yet",
                "lastsnd:500 lastrcv:0 lastack:0 | 0.5 | a request after a pause",
                "lastsnd:49 lastrcv:0 lastack:0 | 1 | a request without a pause"
            })
    void connectionOfClientThatPausesHasNoUnclearRequest(String shows, double inside, String why) {
        assertThat(inside(List.of(List.of(shows), List.of(UNCLEAR)))).as(why).isEqualTo(inside);
        assertThat(inside(List.of(List.of(UNCLEAR), List.of(shows)))).as(why).isEqualTo(inside);
    }

    /// Requests of 0.1 ms: few connections are seen in a pause.
    @Test
    void mostConnectionsThatRestAreTakenTogether() {
        List<String> seen = new ArrayList<>(Collections.nCopies(9, RESTS));
        seen.add(PAUSES);

        assertThat(inside(List.of(seen, Collections.nCopies(10, UNCLEAR)))).isZero();
        assertThat(inside(List.of(Collections.nCopies(10, UNCLEAR), seen))).isZero();
    }

    /// Requests that take 1.5 s in a queue of the service's own, from clients without pauses.
    @Test
    void longRequestsOfBusyClientsCount() {
        assertThat(
                        inside(
                                List.of(
                                        Collections.nCopies(30, UNCLEAR),
                                        Collections.nCopies(30, RESTS),
                                        Collections.nCopies(30, UNCLEAR))))
                .isEqualTo(20);
    }

    /// A client that sends the next request as soon as it has read the answer: a busy one after 20
    /// ms at the latest.
    @Test
    void connectionOfBusyClientKeepsItsRequests() {
        assertThat(
                        inside(
                                List.of(
                                        List.of("lastsnd:20 lastrcv:300 lastack:20"),
                                        List.of("lastsnd:320 lastrcv:300 lastack:300"),
                                        List.of(UNCLEAR))))
                .isEqualTo(2 / 3.0);
    }

    /// Readers of metrics, or health checks, beside busy clients of the same host.
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 5", "2, 2", "2, 4"})
    void fewPausingClientsDoNotDecideForOthers(int readers, int busy) {
        List<String> seen = new ArrayList<>(Collections.nCopies(readers, PAUSES));
        seen.addAll(Collections.nCopies(busy, UNCLEAR));

        assertThat(inside(List.of(seen))).isEqualTo(busy);
    }

    @Test
    void clientsOfAnotherHostOrPortDoNotDecide() {
        String own = connection(40001, 0, UNCLEAR + " bytes_sent:9 bytes_received:9");
        String others = "";
        var ends = new HashSet<End>(ACCEPTED);
        for (int port = 1; port <= 4; port++) {
            String pausing = connection(port, 0, PAUSES + " bytes_sent:9 bytes_received:9");
            others += pausing.replace("127.0.0.1:" + port, "127.0.0.2:" + port);
            others += pausing.replace("127.0.0.1:8080", "127.0.0.1:8081");
            ends.add(new End(8080, "127.0.0.2:" + port));
            ends.add(new End(8081, "127.0.0.1:" + port));
        }
        var accepted = new AcceptedConnections();
        accepted.add(SocketStatistics.parse(others + own), ends);

        assertThat(accepted.inside().of(Sign.REQUESTS_INSIDE)).contains(1.0);
    }
}
