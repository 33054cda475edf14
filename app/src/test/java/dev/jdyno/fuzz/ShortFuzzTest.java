package dev.jdyno.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.jdyno.fuzz.Targets.Target;
import dev.jdyno.measure.TestSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Readers of foreign data must end on broken input and throw only their documented exception. The
/// long form is `bench/fuzz/run.sh` (docs/fuzzing.md).
class ShortFuzzTest {
    private static final long SEED = 20260301;

    static Stream<Target> targets() {
        return Targets.all().stream();
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void seedsAndEarlierFailuresAreReadOrRefused(Target target) throws Exception {
        for (byte[] seed : target.seeds().get()) {
            read(target, seed, "a seed");
        }
        for (Path found : Targets.found(target)) {
            read(target, Files.readAllBytes(found), found.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void brokenInputIsRefused(Target target) throws Exception {
        List<byte[]> seeds = target.seeds().get();
        var mutations = new Mutations(seeds, SEED);
        for (int i = 0; i < TestSet.times(target.rounds() / 10, target.rounds()); i++) {
            read(target, mutations.next(), "mutation " + i);
        }
    }

    private static void read(Target target, byte[] input, String name) {
        assertThatCode(() -> target.reader().accept(input))
                .as(() -> name + ": " + Base64.getEncoder().encodeToString(input))
                .doesNotThrowAnyException();
    }
}
