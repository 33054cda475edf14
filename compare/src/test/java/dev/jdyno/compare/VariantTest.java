package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VariantTest {
    private static Variant variant(String command, String... flags) {
        return new Variant(
                Plan.of(
                        "x",
                        URI.create("http://127.0.0.1:1/a%20b?c=%7B1%7D"),
                        new Plan.TargetPlan.Launch(command)),
                List.of(flags));
    }

    private static String command(Plan plan) {
        return ((Plan.TargetPlan.Launch) plan.target()).command();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java -jar a.jar | java -XX:+UseParallelGC -jar a.jar",
                // if a flag occurs twice, the JVM uses the last one
                "java -Xmx1g -jar a.jar | java -Xmx1g -XX:+UseParallelGC -jar a.jar",
                "exec /opt/jdk/bin/java -cp x Main | exec /opt/jdk/bin/java -XX:+UseParallelGC -cp x Main",
                "java Main.java | java -XX:+UseParallelGC Main.java",
                "./start.sh | export JDK_JAVA_OPTIONS=\"$JDK_JAVA_OPTIONS \"-XX:+UseParallelGC; ./start.sh",
                "javac x && java y | export JDK_JAVA_OPTIONS=\"$JDK_JAVA_OPTIONS \"-XX:+UseParallelGC; javac x && java y"
            })
    void flagsPrecedeMainClass(String command, String with) {
        assertThat(command(variant(command, "-XX:+UseParallelGC").started())).isEqualTo(with);
    }

    @Test
    void aQuoteInAFlagIsNoEndOfItsWord() {
        assertThat(command(variant("java -jar a.jar", "-Dx='; rm -rf /").started()))
                .isEqualTo("java '-Dx='\\''; rm -rf /' -jar a.jar");
    }

    @Test
    void eachStartHasAPortOfItsOwn() {
        Plan plan = variant("java -jar a.jar --port={port} --again={port}").started();

        int port = plan.url().getPort();
        assertThat(port).isGreaterThan(1023);
        assertThat(command(plan)).isEqualTo("java -jar a.jar --port=" + port + " --again=" + port);
        assertThat(plan.url()).hasToString("http://127.0.0.1:" + port + "/a%20b?c=%7B1%7D");
    }

    private static Variant driven(String url, String command, String tool) {
        Plan plan = Plan.of("x", PlanValues.urlOfAnyPort(url), new Plan.TargetPlan.Launch(command));
        return new Variant(
                plan.withDrive(Optional.of(tool).filter(t -> !t.isEmpty()).map(VariantTest::drive)),
                List.of());
    }

    /// @param tool `command`, or `command through PORT`
    private static Drive drive(String tool) {
        String[] parts = tool.split(" through ");
        Drive drive = Drive.parse(parts[0] + " {n} {seconds}");
        return parts.length == 1 ? drive : drive.withThrough(Integer.parseInt(parts[1]));
    }

    @Test
    void loadToolGetsPortOfStart() {
        Plan own = driven("http://127.0.0.1:{port}/", "java x {port}", "wrk {port}").started();
        Plan fixed = driven("http://127.0.0.1:8080/", "java x", "wrk {port}").started();

        assertThat(own.drive().orElseThrow().command())
                .isEqualTo("wrk " + own.url().getPort() + " {n} {seconds}");
        assertThat(fixed.drive().orElseThrow().command()).isEqualTo("wrk 8080 {n} {seconds}");
        assertThat(variant("java x {port}").started().drive()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // both variants get any free port
                "{port} | {port} | wrk {port} | wrk {port} | true",
                "{port} | {port} | wrk 8080   | wrk 8080   | false",
                "{port} | {port} | wrk 8080   | wrk 8081   | false",
                "{port} | {port} | wrk {port} | wrk 8081   | false",
                "{port} | {port} | k6 through 8090 | k6 through 8090 | false",
                // two fixed ports need a tool for each port
                "8080 | 8081 | wrk 8080   | wrk 8081   | true",
                "8080 | 8081 | wrk {port} | wrk {port} | true",
                "8080 | 8081 | wrk 8080   | wrk 8080   | false",
                "8080 | 8081 | k6 through 8090 | k6 through 8090 | false",
                // with the same fixed port, the variants run one after the other
                "8080 | 8080 | wrk 8080   | wrk 8080   | true",
                "8080 | 8080 | k6 through 8090 | k6 through 8090 | true",
                // only one variant has a tool
                "8080 | 8080 | wrk 8080 | '' | false",
                "8080 | 8081 | ''       | wrk 8081 | false",
                "8080 | 8081 | ''       | '' | true"
            })
    void oneLoadToolMustReachBothVariants(
            String portA, String portB, String toolA, String toolB, boolean possible) {
        Variant a = driven("http://127.0.0.1:" + portA + "/", "java a " + portA, toolA);
        Variant b = driven("http://127.0.0.1:" + portB + "/", "java b " + portB, toolB);

        assertThat(a.driveMistakeBeside(b).isEmpty()).isEqualTo(possible);
        assertThat(b.driveMistakeBeside(a).isEmpty()).isEqualTo(possible);
    }

    /// For servers, `%2F` differs from `/`, and `%26` from `&`.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:{port}/a%2Fb?q=x%26y%3D1",
                "http://shop_app:{port}/a%2Fb?q=x%26y%3D1",
                "http://shop_app:{port}",
                "http://user:p%40ss@127.0.0.1:{port}/%C3%A9?a=%25",
                "http://[::1]:{port}/a;b=%2e%2E/?q=%2B+%20&r"
            })
    void aUrlKeepsItsBytesAtEachPort(String url) {
        Plan plan =
                Plan.of(
                        "x",
                        PlanValues.urlOfAnyPort(url),
                        new Plan.TargetPlan.Launch("java -jar a.jar {port}"));

        URI started = new Variant(plan, List.of()).started().url();

        assertThat(started).hasToString(url.replace("{port}", "" + HttpUrl.port(started)));
    }

    /// The JVM ends with "Initial heap size set to a larger value than the maximum heap size".
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java -Xms1g -Xmx1g -jar a.jar | -Xmx512m | true",
                "java -Xms1g -Xmx1g -jar a.jar | -Xms512m -Xmx512m | false",
                "java -Xms1g -Xmx2g -jar a.jar | -Xmx1024m | false",
                "java -Xmx1g -jar a.jar | -XX:InitialHeapSize=2147483648 | true",
                "java -XX:MaxHeapSize=512m -jar a.jar | -Xms1G | true",
                "java -Xms100m -jar a.jar -Xmx1m | -Xss1m | false",
                "./start.sh | -Xms2g -Xmx1g | true",
                "java -jar a.jar --name=-Xms9g -Xms9g | -Xmx1g | false",
                "java -jar a.jar | -Xmx1g | false",
                "java -Xms99999999999999999999g -Xmx1g -jar a.jar | -Xss1m | false"
            })
    void reportsInitialHeapAboveMaximum(String command, String flags, boolean wrong) {
        assertThat(variant(command, flags.split(" ")).heapMistake().isPresent()).isEqualTo(wrong);
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseParallelGC, -XX:+UseParallelGC, true",
        "-XX:+UseParallelGC, -XX:+UseParallelGC -XX:-UseParallelGC, false",
        "-Xmx1g, -Xmx1g -Xmx2g, false",
        "-Xmx1g, -Xmx2g -Xmx1g, true",
        "-XX:ConcGCThreads=2, -XX:ConcGCThreads=2, true",
        "-XX:ConcGCThreads=2, -Xmx1g, false",
        "-Da=1, -Da=2, false",
        "-Da=%d [%t]  %m, -Xmx1g -Da=%d [%t] %m -Db=2, true",
        "-Da=%d [%t] %m, -Da=%d [%t], false",
        "-Da=%d [%t] %m, -Da=%d [%t] %m -Da=%m, false"
    })
    void aJvmThatDidNotGetTheFlagsIsRefused(String flag, String ofJvm, boolean taken) {
        var facts =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(ofJvm.split(" ")),
                        2,
                        false,
                        List.of(),
                        List.of());
        if (taken) {
            variant("java x", flag).requireFlags(facts);
        } else {
            assertThatThrownBy(() -> variant("java x", flag).requireFlags(facts))
                    .isInstanceOf(UserError.class);
        }
    }
}
