package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /// Samples of connections 1, 2 … of a sample; all are accepted.
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

    private static final String UNCLEAR = "lastsnd:400 lastrcv:400 lastack:400";

    /// Requests of 2 ms that come each 0.5 s: half of them are answered within the tick in which
    /// they came.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lastsnd:396 lastrcv:400 lastack:396", // its answer was sent a tick later
                "lastsnd:500 lastrcv:0 lastack:0", // a request after a pause
                "lastsnd:2000 lastrcv:2000 lastack:2000" // it rests
            })
    void connectionOfClientThatPausesHasNoUnclearRequest(String shows) {
        boolean request = shows.contains("lastrcv:0");
        assertThat(inside(List.of(List.of(shows), List.of(UNCLEAR)))).isEqualTo(request ? 0.5 : 0);
        assertThat(inside(List.of(List.of(UNCLEAR), List.of(shows)))).isEqualTo(request ? 0.5 : 0);
    }

    @Test
    void connectionsOfClientsThatPauseAreTakenTogether() {
        String rests = "lastsnd:2000 lastrcv:2000 lastack:2000";
        assertThat(inside(List.of(List.of(UNCLEAR, UNCLEAR, rests, UNCLEAR)))).isEqualTo(3);
        assertThat(inside(List.of(List.of(UNCLEAR, UNCLEAR, rests)))).isZero();
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

    /// One client that pauses, such as a reader of metrics, beside five that do not.
    @Test
    void oneClientThatPausesSaysNothingOfOthers() {
        String rests = "lastsnd:2000 lastrcv:2000 lastack:2000";
        assertThat(inside(List.of(List.of(UNCLEAR, UNCLEAR, UNCLEAR, UNCLEAR, UNCLEAR, rests))))
                .isEqualTo(5);
    }
}
