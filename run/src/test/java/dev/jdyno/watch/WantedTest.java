package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.RunningJvm.Access;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WantedTest {
    private static RunningJvm jvm(long pid, String main, double ageSeconds) {
        return new RunningJvm(
                pid,
                Optional.of("shop"),
                List.of(8080),
                main,
                Optional.empty(),
                Optional.of(ageSeconds),
                Optional.empty(),
                Access.ALL,
                false);
    }

    private static List<Wanted> of(Problems problems, String... words) {
        return Wanted.of(
                Stream.of(words).map(w -> new Wanted.Word(w, w)).toList(),
                new RunningJvms(ProcFs.SYSTEM),
                problems);
    }

    @Test
    void nameFindsJarClassAndNewestJvm() {
        var problems = new Problems();
        List<RunningJvm> running =
                List.of(
                        jvm(1, "/opt/shop-1.2.jar", 100),
                        jvm(2, "com.acme.Orders", 50),
                        jvm(3, "/opt/shop-1.3.jar", 10));

        assertThat(of(problems, "shop").getFirst().find(running)).contains(3L);
        assertThat(of(problems, "orders").getFirst().find(running)).contains(2L);
        assertThat(of(problems, "com.acme.Orders").getFirst().find(running)).contains(2L);
        assertThat(of(problems, "page").getFirst().find(running)).isEmpty();
        assertThat(problems.isEmpty()).isTrue();
    }

    @Test
    void nameOfDayFileHasNoPath() {
        var problems = new Problems();

        assertThat(of(problems, "../../etc/passwd", "a b;c").stream().map(Wanted::service))
                .allMatch(s -> s.matches("[a-z0-9][a-z0-9._-]*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "--", "/"})
    void wordsWithoutLetterAreMistakes(String word) {
        var problems = new Problems();

        assertThat(of(problems, word)).isEmpty();
        assertThat(problems.list()).hasSize(1);
    }

    @Test
    void pidOfNoJvmIsMistakeAndAllMistakesAreReported() {
        var problems = new Problems();

        assertThat(of(problems, "1", "0", "..")).isEmpty();
        assertThat(problems.list()).hasSize(3);
    }

    @Test
    void noServiceAndTooManyAreMistakes() {
        var none = new Problems();
        var many = new Problems();

        assertThat(of(none)).isEmpty();
        assertThat(of(many, IntStream.range(0, 33).mapToObj(i -> "a" + i).toArray(String[]::new)))
                .isEmpty();
        assertThat(none.list()).hasSize(1);
        assertThat(many.list()).hasSize(1);
    }

    @Test
    void sameWordIsOneService() {
        var problems = new Problems();

        assertThat(of(problems, "shop", "shop", "shop")).hasSize(1);
        assertThat(problems.isEmpty()).isTrue();
    }

    @Test
    void wordsThatNameOneServiceAreMistakes() {
        var problems = new Problems();

        of(problems, "com.acme.Shop", "orders", "shop", "/opt/shop-1.3.jar");

        assertThat(problems.list()).hasSize(2);
    }
}
