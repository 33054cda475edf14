package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.Frames.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramesTest {
    @Test
    void everyKindIsInTheFileExactlyOnce() {
        var frames = Frames.builtIn();
        var patterns = new HashSet<String>();

        assertThat(frames.all()).extracting(Frames.Meaning::kind).contains(Kind.values());
        assertThat(frames.all())
                .allSatisfy(m -> assertThat(patterns.add(m.kind() + m.pattern())).isTrue());
    }

    /// The first matching line counts, so no earlier line may match the frame of a later one.
    @Test
    void noLineHidesALaterLine() {
        var frames = Frames.builtIn();

        assertThat(frames.all())
                .filteredOn(m -> !m.pattern().contains("*") && m.kind() != Kind.APPLICATION)
                .allSatisfy(m ->
                        assertThat(
                                        m.kind() == Kind.MAKES_CLASSES
                                                ? frames.maker(m.pattern())
                                                : frames.of(m.pattern()))
                                .contains(m));
    }

    @ParameterizedTest
    @CsvSource({
        "org.springframework.samples.petclinic.owner.OwnerController.show, true",
        "org.springframework.cloud.config.server.environment.JGitEnvironmentRepository.refresh, true",
        "io.quarkus.sample.superheroes.hero.HeroService.find, true",
        "org.springframework.web.servlet.FrameworkServlet.doGet, false",
        "io.vertx.core.impl.ContextImpl.executeBlocking, false",
    })
    void applicationMayShareFrameworkPackagePrefix(String frame, boolean applications) {
        assertThat(Frames.builtIn().of(frame).isEmpty()).isEqualTo(applications);
    }

    private static Profile.Node stack(String... frames) {
        var node = new Profile.Node(frames[frames.length - 1], 1, List.of());
        for (int i = frames.length - 2; i >= 0; i--) {
            node = new Profile.Node(frames[i], 1, List.of(node));
        }
        return node;
    }

    @Test
    void namesLibrariesOfProfileWithoutApplication() {
        var root =
                stack(
                        "all",
                        "org.hibernate.is.no.frame",
                        "java.lang.Thread.run",
                        "org.apache.coyote.AbstractProcessorLight.process",
                        "com.acme.Shop.list",
                        "org.hibernate.Session.find",
                        "org.hibernate.Loader.load");
        var profile = new Profile(Profile.Kind.CPU, "test", 1, 1, 1, 0, root);

        assertThat(Frames.builtIn().libraries(List.of(profile)))
                .containsExactly(
                        new Library(
                                "Tomcat",
                                List.of("org.apache.coyote.AbstractProcessorLight.process")),
                        new Library(
                                "org.hibernate",
                                List.of(
                                        "org.hibernate.Loader.load",
                                        "org.hibernate.Session.find")));
        assertThat(profile.samplesByFirstFrame(f -> f.startsWith("com.acme.")))
                .isEqualTo(Map.of("com.acme.Shop.list", 1L));
    }

    @Test
    void recognisesRelocatedLibrary() {
        Frames frames = Frames.builtIn();
        String jetty = "org.eclipse.jetty.server.Server.handle";
        String hikari = "com.zaxxer.hikari.pool.HikariPool.getConnection";

        assertThat(frames.of("wiremock." + jetty)).isPresent().isEqualTo(frames.of(jetty));
        assertThat(frames.of("org.apache.hadoop.shaded." + hikari))
                .isPresent()
                .isEqualTo(frames.of(hikari));
        assertThat(frames.of("shaded.v2.jakarta.servlet.http.HttpServlet.service"))
                .isEqualTo(frames.of("jakarta.servlet.http.HttpServlet.service"));
        String loop = "io.netty.channel.epoll.EpollEventLoop.run";
        assertThat(frames.of("io.grpc.netty.shaded." + loop))
                .isPresent()
                .isEqualTo(frames.of(loop));
    }

    @Test
    void applicationFramesHaveNoMeaning() {
        Frames frames = Frames.builtIn();

        assertThat(frames.of("com.acme.org.Chart.draw")).isEmpty();
        assertThat(frames.of("com.acme.io.Files.read")).isEmpty();
        assertThat(frames.of("com.acmeorg.eclipse.jetty.server.Server.handle")).isEmpty();
    }

    @Test
    void starInALineMatchesAnyText() {
        var frames = Frames.parse(List.of("# note", "", "dns a.Inet*Impl.lookup Resolver"));

        assertThat(frames.of("a.Inet6Impl.lookupAll").orElseThrow().name()).isEqualTo("Resolver");
        assertThat(frames.of("a.Inet6Impl.other")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'pool',line 1: no pattern", "'lake a.b',no such kind: lake"})
    void namesInvalidLine(String line, String says) {
        assertThatThrownBy(() -> Frames.parse(List.of(line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(says);
    }

    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec-12,http-nio-8080-exec",
        "pool-1-thread-7,pool-1-thread",
        "pool-2-thread-7,pool-2-thread",
        "qtp1537358694-31,qtp",
        "XNIO-1 task-3,XNIO-1 task",
        "[0x1218d3ab 0x40b5646b] WebServer socket,WebServer socket",
        "ForkJoinPool.commonPool-worker-3,ForkJoinPool.commonPool-worker",
        "dw-42,dw",
        "dw-42 - GET /orders?page=7,dw",
        "http-nio-8080-exec-3 POST /orders,http-nio-8080-exec",
        "Camel (camel-1) thread #6 - NettyConsumerExecutorGroup,Camel (camel-1) thread NettyConsumerExecutorGroup",
        "mail - GET /orders,mail - GET /orders",
        "main,main",
        "42,42",
    })
    void threadsOfOnePoolShareTheirName(String thread, String pool) {
        assertThat(PoolName.of(thread)).isEqualTo(pool);
    }

    @Test
    void userLinePrecedesShippedLines(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("own.txt");
        Files.writeString(
                file,
                """
                # ours
                pool  com.acme.Pool.borrow  AcmePool
                idle  com.zaxxer.hikari.pool.HikariPool.getConnection
                """);

        Frames frames = Frames.with(Optional.of(file));

        assertThat(frames.of("com.acme.Pool.borrow").orElseThrow().name()).isEqualTo("AcmePool");
        assertThat(
                        frames.of("com.zaxxer.hikari.pool.HikariPool.getConnection")
                                .orElseThrow()
                                .kind())
                .isEqualTo(Frames.Kind.IDLE);
        assertThat(frames.of("java.lang.Thread.sleep").orElseThrow().kind())
                .isEqualTo(Frames.Kind.SLEEP);
    }

    @Test
    void reportsLinesOfAllMistakes(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("own.txt");
        Files.writeString(file, "pool com.acme.Pool\npoool com.acme.X\n\nlock\n");

        assertThatThrownBy(() -> Frames.with(Optional.of(file)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(file + ":2: no such kind: poool")
                .hasMessageContaining(file + ":4: no pattern: lock")
                .hasMessageContaining("2 mistakes");
    }

    @Test
    void missingFileIsUserError(@TempDir Path dir) {
        assertThatThrownBy(() -> Frames.with(Optional.of(dir.resolve("none.txt"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot read the frames file");
    }
}
