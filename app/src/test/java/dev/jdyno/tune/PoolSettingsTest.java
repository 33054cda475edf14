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
    void theSizeThatWasSeenCountsAndElseThePreset() {
        var twice = new Change.PoolSize("http-nio-8080-exec", new Amount.Times(2));

        assertThat(known.of(twice, OptionalDouble.of(50)))
                .containsExactly(new Change.SystemProperty("server.tomcat.threads.max", "100"));
        assertThat(known.of(twice, OptionalDouble.empty()))
                .containsExactly(new Change.SystemProperty("server.tomcat.threads.max", "400"));
    }

    @Test
    void withoutSizeOrPropertyNothingIsTried() {
        assertThat(
                        known.of(
                                new Change.PoolSize("XNIO-1 task", new Amount.Larger()),
                                OptionalDouble.empty()))
                .isEmpty();
        assertThat(
                        known.of(
                                new Change.PoolSize("my own pool", new Amount.Exactly("8")),
                                OptionalDouble.of(4)))
                .isEmpty();
    }

    @Test
    void usersAddTheirOwn(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pools.yaml");
        Files.writeString(file, "- {pool: My Own, property: acme.threads, preset: 4}\n");

        assertThat(
                        PoolSettings.read(Optional.of(file))
                                .of(
                                        new Change.PoolSize("my own pool", new Amount.Times(2)),
                                        OptionalDouble.empty()))
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
