package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.UserError;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoolSizesTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aPoolIsEnlargedAndGetsItsSizeBack(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "jmx-pool")) {
            String first;
            try (var larger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                first = larger.says();
                try (var evenLarger = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                    assertThat(evenLarger.says()).startsWith("maxThreads 12 -> 24");
                }
            }

            assertThat(first).isEqualTo("maxThreads 6 -> 12 of Victim:type=ThreadPool,name=http");
            try (var again = PoolSizes.enlarge(target, LargerPool.Kind.THREADS, 2)) {
                assertThat(again.says()).isEqualTo(first);
            }
        }
    }

    @Test
    void aServiceWithoutSuchAPoolIsLeftAsItIs() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "sleep")) {
            assertThatThrownBy(
                            () -> PoolSizes.enlarge(target, LargerPool.Kind.CONNECTIONS, 2).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no pool of connections");
        }
    }
}
