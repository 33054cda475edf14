package dev.jdyno.observe.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput.Source;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.throughput.SegmentFlow.Carried;
import dev.jdyno.observe.throughput.SegmentFlow.Flow;
import dev.jdyno.observe.throughput.SegmentFlow.Reported;
import dev.jdyno.observe.throughput.SegmentFlow.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentFlowTest {
    private static final int LARGEST = 1448;

    private static End end(int n) {
        return new End(8080, "10.0.0.7:" + n);
    }

    private static Flow flow(double segments, double bytes) {
        return new Flow(segments, bytes, bytes / LARGEST);
    }

    /// @param requests number so far, each with this number of segments and bytes in and out
    private static Carried carried(
            double requests, double in, double inBytes, double out, double outBytes) {
        return new Carried(
                flow(requests * in, requests * inBytes), flow(requests * out, requests * outBytes));
    }

    /// Permanent connections with ten requests a second each, sampled twice.
    private static Reported steady(
            int connections, double in, double inBytes, double out, double outBytes) {
        List<Sample> samples = new ArrayList<>();
        for (double s : new double[] {1, 1.2, 2.2, 2.4, 3.4, 3.6}) {
            Map<End, Carried> all = new HashMap<>();
            for (int i = 0; i < connections; i++) {
                all.put(end(i), carried(10 * s, in, inBytes, out, outBytes));
            }
            samples.add(new Sample(s, all));
        }
        return new SegmentFlow(samples).reported();
    }

    @Test
    void smallRequestsAreCountedByIncomingSegments() {
        var reported = steady(5, 1, 100, 4, 5000).throughput().orElseThrow();

        assertThat(reported.source()).isEqualTo(Source.SEGMENTS);
        assertThat(reported.perS()).isEqualTo(50, within(1e-6));
        Interval between = reported.between().orElseThrow();
        assertThat(between.hi()).isEqualTo(50, within(1e-6));
        assertThat(between.lo()).isEqualTo(50 * (1 - 100.0 / LARGEST), within(1e-6));
    }

    @Test
    void largeRequestsAreCountedByOutgoingSegments() {
        var reported = steady(5, 7, 10_000, 1, 200).throughput().orElseThrow();

        assertThat(reported.perS()).isEqualTo(50, within(1e-6));
    }

    @Test
    void givesNoFigureIfRequestsAndRepliesFillSegments() {
        assertThat(steady(5, 7, 10_000, 7, 10_000).why().orElseThrow())
                .isEqualTo("requests and answers both fill several segments");
    }

    @Test
    void segmentsOfFramesAreNoRequests() {
        assertThat(steady(5, 1, 14, 3, 500).why().orElseThrow())
                .isEqualTo("segments of 14 bytes on average are too short for HTTP/1 requests");
    }

    /// Tomcat closes a connection after 100 requests. Each lives for `lives` s and carries 250
    /// requests a second.
    private static Reported closing(double lives) {
        List<Sample> samples = new ArrayList<>();
        for (int second = 1; second <= 20; second++) {
            for (double s : new double[] {second, second + 0.2}) {
                Map<End, Carried> all = new HashMap<>();
                for (int c = 0; c < 16; c++) {
                    // their start times are evenly spread
                    double since = s + c * lives / 16;
                    long generation = (long) Math.floor(since / lives);
                    double age = since - generation * lives;
                    all.put(end((int) (generation * 16 + c)), carried(250 * age, 1, 100, 1, 300));
                }
                samples.add(new Sample(s, all));
            }
        }
        return new SegmentFlow(samples).reported();
    }

    @Test
    void countsConnectionsClosedAfterSomeRequests() {
        assertThat(closing(10).throughput().orElseThrow().perS()).isEqualTo(4000, within(200.0));
        assertThat(closing(1).throughput().orElseThrow().perS()).isEqualTo(4000, within(200.0));
        assertThat(closing(0.5).throughput().orElseThrow().perS()).isEqualTo(4000, within(200.0));
    }

    @Test
    void ignoresShortLivedConnections() {
        assertThat(closing(0.3).why().orElseThrow()).contains("before they are seen twice");
        assertThat(closing(0.05).why().orElseThrow()).contains("before they are seen twice");
    }

    @Test
    void reusedPortIsANewConnection() {
        var reported =
                new SegmentFlow(
                                List.of(
                                        new Sample(
                                                0,
                                                Map.of(
                                                        end(1), carried(1000, 1, 100, 1, 100),
                                                        end(2), carried(0, 1, 100, 1, 100),
                                                        end(3), carried(0, 1, 100, 1, 100),
                                                        end(4), carried(0, 1, 100, 1, 100))),
                                        new Sample(
                                                1,
                                                Map.of(
                                                        end(1), carried(10, 1, 100, 1, 100),
                                                        end(2), carried(20, 1, 100, 1, 100),
                                                        end(3), carried(20, 1, 100, 1, 100),
                                                        end(4), carried(20, 1, 100, 1, 100)))))
                        .reported()
                        .throughput()
                        .orElseThrow();

        // 60 from the connections that stayed, 10 from the new one, and 10 from the closed one
        assertThat(reported.perS()).isEqualTo(80, within(1e-6));
    }

    @Test
    void reportsMissingConnections() {
        assertThat(
                        new SegmentFlow(List.of(new Sample(0, Map.of()), new Sample(1, Map.of())))
                                .reported()
                                .why())
                .contains("no client is connected to it");
        assertThat(new SegmentFlow(List.of()).reported().throughput()).isEmpty();
    }

    /// The connections were used before the observation.
    @Test
    void idleConnectionsHaveNoRequests() {
        var idle = Map.of(end(1), carried(5, 1, 100, 1, 300));
        var reported =
                new SegmentFlow(List.of(new Sample(1, idle), new Sample(2, idle))).reported();

        assertThat(reported.throughput().orElseThrow().perS()).isZero();
    }

    /// Kernels before 4.6 lack these counts, which does not mean zero requests.
    @Test
    void givesNoFigureWithoutSegments() {
        assertThat(steady(3, 0, 0, 0, 0).why().orElseThrow())
                .contains("no", "segment with data was counted", "too old");
        assertThat(steady(3, 0, 0, 0, 0).throughput()).isEmpty();
    }

    @Test
    void readsOutputOfSs() {
        Map<End, Carried> all =
                DataSegments.carried(
                        """
                        0      0            127.0.0.1:8080       127.0.0.1:40234
                        \t cubic wscale:10,10 rto:204 mss:32768 pmtu:65535 rcvmss:536 advmss:65483 cwnd:10 bytes_sent:5000 bytes_acked:4990 bytes_received:900 segs_out:30 segs_in:31 data_segs_out:9 data_segs_in:10 send 1Gbps
                        0      0      [::ffff:127.0.0.1]:8080 [::ffff:127.0.0.1]:40235
                        \t cubic mss:1000 segs_in:2
                        """);

        assertThat(all)
                .containsEntry(
                        new End(8080, "127.0.0.1:40234"),
                        new Carried(
                                new Flow(10, 900, 900 / 32768.0),
                                new Flow(9, 4990, 4990 / 32768.0)))
                .containsEntry(new End(8080, "127.0.0.1:40235"), Carried.NONE);
    }
}
