package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.ResultFixture;
import dev.jdyno.report.ResultVariants;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShortNamesTest {
    private static final SourceLine GET =
            new SourceLine("com.acme.Page.get", Optional.of("Page.java"), 12, 9);

    private static ShortNames naming(String says, SourceLine... sources) {
        Verdict v = ResultFixture.e1().verdict();
        RunResult judged =
                ResultVariants.with(
                        new Verdict(
                                v.bottleneck(), "", v.confidence(), says, List.of(), List.of()));
        return ShortNames.of(
                judged.recording().withInsight(InsightVariant.sources(sources)), judged.judged());
    }

    @Test
    void thePackageOfAClassThatIsNamedOnceIsLeftOut() {
        String says = "waits for java.util.concurrent.locks.ReentrantLock in com.acme.Page.get";

        assertThat(naming(says, GET).in(says))
                .isEqualTo("waits for ReentrantLock in Page.get (Page.java:12)");
    }

    @Test
    void twoClassesOfOneNameKeepTheirPackages() {
        String says = "com.acme.Page.get waits for com.other.Page.lock and com.acme.Shelf.put";

        assertThat(naming(says).in(says))
                .isEqualTo("com.acme.Page.get waits for com.other.Page.lock and Shelf.put");
    }

    @Test
    void whatIsCopiedAsAWholeStaysWhole() {
        for (String whole :
                List.of(
                        "-Dcom.acme.Mode=x",
                        "class=\"ch.qos.logback.classic.AsyncAppender\"",
                        "`org.apache.Main`",
                        "/srv/app.d/lib.x.Jar",
                        "127.0.0.1:8080")) {
            assertThat(naming(whole).in(whole)).isEqualTo(whole);
        }
    }

    @Test
    void aPlaceBeginsWithItsMethod() {
        assertThat(naming("", GET).place("HikariCP in com.acme.Page.get"))
                .isEqualTo("Page.get (Page.java:12), HikariCP");
        assertThat(naming("", GET).place("java.lang.Integer.parseInt in com.acme.Page.get"))
                .isEqualTo("Page.get (Page.java:12), calling Integer.parseInt");
        assertThat(naming("", GET).place("com.acme.Page.get")).isEqualTo("Page.get (Page.java:12)");
        assertThat(naming("", GET).place("tile")).isEqualTo("tile");
    }
}
