package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortNamesTest {
    private static final SourceLine GET =
            new SourceLine("com.acme.Page.get", Optional.of("Page.java"), 12, 9);

    private static ShortNames naming(Sentence says, SourceLine... sources) {
        Verdict v = ResultFixture.e1().verdict();
        RunResult judged =
                ResultVariants.with(
                        new Verdict(
                                v.bottleneck(), "", v.confidence(), says, List.of(), List.of()));
        return ShortNames.of(
                judged.recording().withInsight(InsightVariant.sources(sources)), judged.judged());
    }

    private static String shown(Sentence says, SourceLine... sources) {
        return naming(says, sources).in(says);
    }

    @Test
    void thePackageOfAClassThatIsNamedOnceIsLeftOut() {
        assertThat(
                        shown(
                                Sentence.format(
                                        "waits for %s in %s",
                                        Sentence.name("java.util.concurrent.locks.ReentrantLock"),
                                        Sentence.name("com.acme.Page.get")),
                                GET))
                .isEqualTo("waits for ReentrantLock in Page.get (Page.java:12)");
    }

    @Test
    void twoClassesOfOneNameKeepTheirPackages() {
        assertThat(
                        shown(
                                Sentence.format(
                                        "%s waits for %s and %s",
                                        Sentence.name("com.acme.Page.get"),
                                        Sentence.name("com.other.Page.lock"),
                                        Sentence.name("com.acme.Shelf.put"))))
                .isEqualTo("com.acme.Page.get waits for com.other.Page.lock and Shelf.put");
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.Page$1.lambda$get$0, lambda in Page$1.get",
        "com.acme.Page.<init>, Page.<init>",
        "com.acme.Page, Page",
        "Page.get, Page.get",
        "com.acme.main, com.acme.main",
        "db.acme.com, db.acme.com",
        "main, main"
    })
    void shortensNameByWholePackageElements(String name, String brief) {
        assertThat(shown(Sentence.name(name))).isEqualTo(brief);
    }

    @Test
    void onlyNamesAreShortened() {
        Sentence says = Sentence.of("set -Dcom.acme.Mode=x of com.acme.Page");

        assertThat(shown(says)).isEqualTo(says.text());
    }

    @Test
    void aPlaceBeginsWithItsMethod() {
        ShortNames names = naming(Sentence.of(""), GET);

        assertThat(names.place("HikariCP in com.acme.Page.get"))
                .isEqualTo("Page.get (Page.java:12), HikariCP");
        assertThat(names.place("java.lang.Integer.parseInt in com.acme.Page.get"))
                .isEqualTo("Page.get (Page.java:12), calling Integer.parseInt");
        assertThat(names.place("com.acme.Page.get")).isEqualTo("Page.get (Page.java:12)");
        assertThat(names.place("tile")).isEqualTo("tile");
    }
}
