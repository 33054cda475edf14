package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Problems;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurveyTest {
    private static Survey reachedFrom(List<String> locals) {
        return new Survey(
                IntStream.range(0, locals.size())
                        .mapToObj(i ->
                                new Survey.Answer(
                                        new AgentAddress("lg" + i, 4711),
                                        Cluster.facts(""),
                                        InetAddress.ofLiteral(locals.get(i)),
                                        0,
                                        0))
                        .toList());
    }

    /// @param problems agents that cannot connect to this host at that address
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1                         | 10.0.0.1  |",
                "10.0.0.1 10.0.0.1                | 10.0.0.1  |",
                "127.0.0.1 127.0.0.1              | 127.0.0.1 |",
                "127.0.0.1 10.0.0.1               | 10.0.0.1  | lg0",
                "10.0.0.1 192.168.0.1             | 10.0.0.1  | lg1",
                "10.0.0.1 192.168.0.1 10.0.0.1 ::2 | 10.0.0.1 | lg1 lg3",
                "127.0.0.1 ::1                    | 127.0.0.1 | lg1",
                "::1 10.0.0.1 fd00::1             | 10.0.0.1  | lg0 lg2",
            })
    void namesUnreachableAgentsBeforeRun(String locals, String point, String problems) {
        var found = new Problems();

        InetAddress at = reachedFrom(Arrays.asList(locals.strip().split(" "))).meetingPoint(found);

        assertThat(at).isEqualTo(InetAddress.ofLiteral(point));
        List<String> named = problems == null ? List.of() : Arrays.asList(problems.split(" "));
        assertThat(found.list()).hasSameSizeAs(named);
        for (int i = 0; i < named.size(); i++) {
            assertThat(found.list().get(i).toString()).contains("agent " + named.get(i) + ":");
        }
    }
}
