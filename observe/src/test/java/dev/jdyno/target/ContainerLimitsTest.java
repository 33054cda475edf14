package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class ContainerLimitsTest {
    @TempDir Path dir;

    @Test
    void readsLimitsOfTomcat() throws Exception {
        try (Target target = TomcatVictim.launch(dir, "beans")) {
            LocalConnector.start(target);
            try (var jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                List<LayerLimit> limits = jmx.ask(ContainerLimits::read);

                assertThat(limits)
                        .extracting(LayerLimit::kind, LayerLimit::atOnce)
                        .containsExactly(
                                tuple(Kind.THREADS, 200.0), tuple(Kind.CONNECTIONS, 8192.0));
                assertThat(limits).allMatch(l -> l.layer().startsWith("http-nio-127.0.0.1"));
            }
        }
    }

    /// Jetty's maximum number of threads includes one acceptor and one selector.
    @ParameterizedTest
    @CsvSource({"jetty,^qtp\\d+-1$", "undertow,^XNIO-1 task-1$", "tomcat,^tomcat-exec-1$"})
    void readsThreadLimitByThreadName(String container, String thread) throws Exception {
        try (Target target = ContainerVictim.launch(dir, container, 5, 1)) {
            LocalConnector.start(target);
            try (var jmx = JmxSession.to(LocalConnector.address(target).orElseThrow())) {
                assertThat(jmx.ask(ContainerLimits::read))
                        .filteredOn(l -> l.kind() == Kind.THREADS && l.layer().matches(thread))
                        .extracting(LayerLimit::atOnce)
                        .containsExactly(5.0);
            }
        }
    }
}
