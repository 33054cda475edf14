package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiAdviceTest {
    private static final String SERVES = "jakarta.servlet.http.HttpServlet.service";

    /// @param samples of 100 with this stack, its outermost frame first, in threads of this name
    private static List<Recommendation> of(
            Profile.Kind kind, long samples, String threads, String... stack) {
        List<Profile.Node> inner = List.of();
        for (String frame : Arrays.asList(stack).reversed()) {
            inner = List.of(new Profile.Node(frame, samples, inner));
        }
        var all = new Profile.Node("", 100, List.of(new Profile.Node(threads, 100, inner)));
        var patient = new Patient();
        patient.insight =
                new Insight(
                        List.of(new Profile(kind, "test", 20, 100, 0.01, 0, all)),
                        List.of(),
                        List.of(),
                        List.of());
        return patient.recommendations(Bottleneck.CPU);
    }

    /// The stacks from the outermost frame in, as dumps and samples hold them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    logging-exceptions | CPU | exec | org.apache.logging.log4j.core.impl.ThrowableProxy.<init> org.apache.logging.log4j.core.impl.ThrowableProxyHelper.loadClass
                    logging-exceptions | CPU | exec | ch.qos.logback.classic.spi.ThrowableProxy.calculatePackagingData ch.qos.logback.classic.spi.PackagingDataCalculator.calculate
                    vertx-unordered | WALL | vert.x-worker-thread | java.lang.Thread.run io.vertx.core.impl.TaskQueue.run com.acme.Board.load java.lang.Thread.sleep
                    async-executor | WALL | exec | java.util.concurrent.CompletableFuture.supplyAsync java.util.concurrent.CompletableFuture$ThreadPerTaskExecutor.execute java.lang.Thread.start
                    async-executor | WALL | ForkJoinPool.commonPool-worker- | java.util.concurrent.ForkJoinWorkerThread.run java.util.concurrent.CompletableFuture$AsyncSupply.run com.acme.Price.ask
                    http-server-executor | WALL | HTTP-Dispatcher | sun.net.httpserver.ServerImpl$Dispatcher.run sun.net.httpserver.ServerImpl$DefaultExecutor.execute sun.net.httpserver.ServerImpl$Exchange.run com.acme.Page.handle
                    pattern-keep | CPU | exec | java.lang.String.replaceAll java.util.regex.Pattern.compile java.util.regex.Pattern.expr
                    format-less | CPU | exec | java.lang.String.format java.util.Formatter.format java.util.Formatter.parse
                    mapper-keep | CPU | exec | com.acme.Page.json com.fasterxml.jackson.databind.ObjectMapper.<init>
                    xml-factory-keep | CPU | exec | com.acme.Page.xml javax.xml.parsers.DocumentBuilderFactory.newInstance java.util.ServiceLoader.load
                    date-format-keep | CPU | exec | com.acme.Page.day java.text.SimpleDateFormat.<init> java.text.SimpleDateFormat.initialize
                    url-as-uri | WALL | exec | java.util.HashMap.get java.net.URL.hashCode java.net.InetAddress.getByName
                    """)
    void anEntryIsFoundByItsFrames(String id, Profile.Kind kind, String threads, String stack) {
        String[] frames = (SERVES + " " + stack).split(" ");

        assertThat(of(kind, 40, threads, frames)).extracting(Recommendation::id).contains(id);
        assertThat(of(kind, 4, threads, frames)).extracting(Recommendation::id).doesNotContain(id);
    }

    @Test
    void aPartOfTheCpuThatGoesPredictsAtMostSoMuch() {
        Recommendation found =
                of(Profile.Kind.CPU, 40, "exec", "java.util.regex.Pattern.compile").stream()
                        .filter(r -> r.id().equals("pattern-keep"))
                        .findFirst()
                        .orElseThrow();

        assertThat(found.predictedQpsRatio().orElseThrow()).isCloseTo(1 / 0.6, within(1e-9));
        assertThat(found.atMost()).isTrue();
    }

    /// A worker of another pool that runs such a task is not the common pool's.
    @Test
    void allFramesMustBeThereInTheirOrder() {
        assertThat(
                        of(
                                Profile.Kind.WALL,
                                90,
                                "orders-worker-",
                                "java.util.concurrent.ForkJoinWorkerThread.run",
                                "java.util.concurrent.CompletableFuture$AsyncSupply.run"))
                .extracting(Recommendation::id)
                .doesNotContain("async-executor");
    }

    @Test
    void aBlockThatIsNotCompleteIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiAdvice.parse("id: a\nseen: cpu 5 % a.B.c\ndo: this"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiAdvice.parse("id: a\nseen: gpu 5 % a.B.c\ndo: this\nhow: so"));
    }
}
