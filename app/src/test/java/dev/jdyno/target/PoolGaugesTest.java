package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.PoolQueue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PoolGaugesTest {
    @TempDir Path dir;

    /// Twelve threads share five connections.
    @Test
    void aPoolOfConnectionsTellsHowManyThreadsWaitForOne() throws Exception {
        try (Target target = HikariVictim.launch(dir, 5)) {
            LocalConnector.start(target);
            try (var jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                List<PoolQueue> pools = jmx.ask(PoolGauges::read);

                assertThat(pools)
                        .singleElement()
                        .satisfies(p -> {
                            assertThat(p.pool()).isEqualTo("orders");
                            assertThat(p.kind()).isEqualTo(PoolQueue.Kind.LENT);
                            assertThat(p.size().orElseThrow()).isBetween(1.0, 5.0);
                            assertThat(p.length().orElseThrow()).isBetween(1.0, 12.0);
                            assertThat(p.from()).isEqualTo("HikariCP's MBean");
                        });
            }
        }
    }
}
