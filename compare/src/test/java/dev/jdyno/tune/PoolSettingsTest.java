package dev.jdyno.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSettingsTest {
    private final PoolSettings known = PoolSettings.read(Optional.empty());

    @Test
    void usesObservedSizeOrElseDefault() {
        var twice = new Change.PoolSize("http-nio-8080-exec", new Amount.Times(2));

        assertThat(known.of(twice, OptionalDouble.of(50), _ -> true))
                .containsExactly(new Change.SystemProperty("server.tomcat.threads.max", "100"));
        assertThat(known.of(twice, OptionalDouble.empty(), _ -> true))
                .containsExactly(new Change.SystemProperty("server.tomcat.threads.max", "400"));
    }

    @Test
    void triesNothingWithoutSizeAndProperty() {
        assertThat(
                        known.of(
                                new Change.PoolSize("XNIO-1 task", new Amount.Larger()),
                                OptionalDouble.empty(),
                                _ -> true))
                .isEmpty();
        assertThat(
                        known.of(
                                new Change.PoolSize("my own pool", new Amount.Exactly("8")),
                                OptionalDouble.of(4),
                                _ -> true))
                .isEmpty();
    }

    /// A service without Spring reads no property of Spring.
    @Test
    void triesPropertyOnlyIfFrameworkRuns() {
        var larger = new Change.PoolSize("HikariPool-1", new Amount.Exactly("30"));

        assertThat(known.of(larger, OptionalDouble.of(5), "org.springframework."::equals))
                .containsExactly(
                        new Change.SystemProperty(
                                "spring.datasource.hikari.maximum-pool-size", "30"));
        assertThat(known.of(larger, OptionalDouble.of(5), _ -> false)).isEmpty();
        assertThat(
                        known.of(
                                new Change.PoolSize(
                                        "epollEventLoopGroup-3", new Amount.Exactly("8")),
                                OptionalDouble.empty(),
                                _ -> false))
                .isNotEmpty();
    }

    @Test
    void usersAddTheirOwn(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pools.yaml");
        Files.writeString(file, "- {pool: My Own, property: acme.threads, preset: 4}\n");

        assertThat(
                        PoolSettings.read(Optional.of(file))
                                .of(
                                        new Change.PoolSize("my own pool", new Amount.Times(2)),
                                        OptionalDouble.empty(),
                                        _ -> true))
                .containsExactly(new Change.SystemProperty("acme.threads", "8"));
    }

    @Test
    void aFileThatIsNoListIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pools.yaml");
        Files.writeString(file, "pool: x\n");

        assertThatThrownBy(() -> PoolSettings.read(Optional.of(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("pools.yaml");
    }
}
