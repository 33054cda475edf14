package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdditionsTest {
    private static Additions argument(String template, String value) {
        return new Additions(
                List.of(),
                List.of(),
                Map.of(),
                List.of(new Change.ProgramArgument(template, value)),
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java -jar a.jar | java -jar a.jar --server=undertow",
                // an option that the command already has is replaced, because parsers refuse an
                // option given twice
                "java -jar a.jar --server=tomcat --x | java -jar a.jar --server=undertow --x",
                "java -jar a.jar --server='a b' --x | java -jar a.jar --server=undertow --x",
                "./start.sh {args} > log | ./start.sh --server=undertow > log"
            })
    void anArgumentHasOnePlace(String command, String with) {
        assertThat(argument("--server={}", "undertow").in(command)).isEqualTo(with);
    }

    @Test
    void anArgumentOfTwoWords() {
        assertThat(argument("--workers {}", "8").in("java -jar a.jar"))
                .isEqualTo("java -jar a.jar --workers 8");
        assertThat(argument("--workers {}", "8").in("java -jar a.jar --workers 200 -v"))
                .isEqualTo("java -jar a.jar --workers 8 -v");
    }

    @Test
    void aValueIsNoCommand() {
        assertThat(argument("--name={}", "$(rm -rf /); '").in("java -jar a.jar"))
                .isEqualTo("java -jar a.jar '--name=$(rm -rf /); '\\'''");
    }

    @Test
    void withoutAdditionsTheCommandStays() {
        assertThat(Additions.NONE.in("java -jar a.jar --x='1 2'"))
                .isEqualTo("java -jar a.jar --x='1 2'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java -Xmn64m -Xmx1g -jar a.jar | java -Xmx1g -Xmn307m -Da=b -jar a.jar",
                "java -Da=1 -Dab=1 -cp a B -Da=2 | java -Dab=1 -Xmn307m -Da=b -cp a B -Da=2",
                "exec java  -Xmn64m  -Da=1 -jar a.jar | exec java  -Xmn307m -Da=b -jar a.jar"
            })
    void aFlagReplacesThatOfItsName(String command, String with) {
        assertThat(Additions.ofFlags(List.of("-Xmn307m", "-Da=b")).in(command)).isEqualTo(with);
    }

    @Test
    void readsAllKindsTogether() {
        var all =
                new Additions(
                        List.of("-Xmn64m", "-Da=b c"),
                        List.of("-Xint"),
                        Map.of("CACHE_TTL", "10 s"),
                        List.of(),
                        Map.of("{app.yaml}", "/tmp/x y/1-app.yaml"));

        assertThat(all.in("java -Xint -jar a.jar --config {app.yaml}"))
                .isEqualTo(
                        "export CACHE_TTL='10 s'; java -Xmn64m '-Da=b c' -jar a.jar --config"
                                + " '/tmp/x y/1-app.yaml'");
    }

    /// A JVM does not start with two collectors.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java -XX:+UseG1GC -jar a.jar | -XX:+UseZGC | java -XX:+UseZGC -jar a.jar",
                "java -XX:+UseSerialGC -Xmx1g -jar a.jar | -XX:+UseParallelGC | java -Xmx1g -XX:+UseParallelGC -jar a.jar",
                "java -XX:-UseG1GC -jar a.jar | -XX:+UseShenandoahGC | java -XX:+UseShenandoahGC -jar a.jar",
                "java -XX:+UseStringDeduplication -jar a.jar | -XX:+UseZGC | java -XX:+UseStringDeduplication -XX:+UseZGC -jar a.jar"
            })
    void aCollectorReplacesAnother(String command, String flag, String with) {
        assertThat(Additions.ofFlags(List.of(flag)).in(command)).isEqualTo(with);
    }
}
