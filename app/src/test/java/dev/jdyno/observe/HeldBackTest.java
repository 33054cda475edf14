package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldBackTest {
    // iproute2 6.1.0, shortened: a held rest, one in flight, another place, one of IPv6
    private static final String SAID =
            """
            0      104    [::ffff:127.0.0.1]:40234    [::ffff:127.0.0.1]:18101
            \t cubic rto:204 unacked:1 rcv_space:65495 notsent:100 minrtt:0.01
            0      66     127.0.0.1:48456          127.0.0.1:18101
            \t bbr rto:236 unacked:1 reordering:6
            0      104    127.0.0.1:40236          127.0.0.1:5432
            \t cubic notsent:100
            0      8    [::1]:40236          [::1]:18101
            \t cubic notsent:8
            """;

    @Test
    void connectionsWhoseRestIsHeldBackAreCountedForThePlacesAskedFor() {
        assertThat(HeldBack.count(SAID, Set.of("127.0.0.1:18101"))).isEqualTo(1);
        assertThat(HeldBack.count(SAID, Set.of("127.0.0.1:5432"))).isEqualTo(1);
        assertThat(HeldBack.count(SAID, Set.of("[0:0:0:0:0:0:0:1]:18101"))).isEqualTo(1);
        assertThat(HeldBack.count(SAID, Set.of("10.0.0.1:80"))).isZero();
    }

    @Test
    void oneLineForEachConnectionIsReadAsWell() {
        String joined = SAID.replace("\n\t", "");

        assertThat(HeldBack.count(joined, Set.of("127.0.0.1:18101"))).isEqualTo(1);
    }

    @Test
    void nothingIsSaidOfNoPlace() throws InterruptedException {
        assertThat(HeldBack.see(Set.of()).values()).isEmpty();
    }
}
