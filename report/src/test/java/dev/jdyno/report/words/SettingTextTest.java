package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.SettingValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The target of the fixture was started with `-Xmx512m`.
class SettingTextTest {
    private static Recommendation recommendation(Change... changes) {
        return new Recommendation(
                RecommendedChange.read("heap-double", "", List.of(changes), true),
                Sentence.of("says"),
                "look",
                Optional.empty(),
                Optional.empty(),
                false,
                "why",
                Optional.empty(),
                Optional.empty());
    }

    private static Optional<String> edit(Recommendation r) {
        return SettingText.edit(r, ResultFixture.e1().target());
    }

    /// Three kinds of names: a property, an attribute of a pool, and a parameter of the kernel.
    @ParameterizedTest
    @CsvSource({
        "server.tomcat.threads.max, 20, 40",
        "HikariCP's maximumPoolSize, 3, 6",
        "cpu.max, 0.79 cores, 2 cores"
    })
    void settingShowsCurrentAndNewValue(String name, String now, String to) {
        Recommendation r = recommendation().with(List.of(new SettingValue(name, now, to)));

        assertThat(edit(r)).contains(name + ": " + now + " -> " + to);
        assertThat(SettingText.replacesSentence(r)).isTrue();
    }

    @Test
    void settingWithUnknownValueShowsNewValue() {
        var to = new SettingValue("acceptCount", Optional.empty(), new Amount.Exactly("75"));

        assertThat(edit(recommendation().with(List.of(to)))).contains("acceptCount -> 75");
    }

    @Test
    void aDirectionAloneIsNoEdit() {
        var more = new SettingValue("acceptCount", Optional.empty(), new Amount.Larger());

        assertThat(edit(recommendation().with(List.of(more)))).isEmpty();
    }

    @Test
    void flagIsShownWithItsPresentValue() {
        assertThat(edit(recommendation(new Change.JvmFlag("-Xmx", "1g"))))
                .contains("-Xmx: 512m -> 1g");
    }

    @Test
    void marksFlagThatIsNotSet() {
        assertThat(edit(recommendation(new Change.JvmFlag("-XX:ConcGCThreads", "2"))))
                .contains("-XX:ConcGCThreads: not set -> 2");
        assertThat(edit(recommendation(new Change.JvmFlag("-XX:+AlwaysPreTouch"))))
                .contains("-XX:+AlwaysPreTouch (not set now)");
        assertThat(edit(recommendation(new Change.SystemProperty("sun.net.inetaddr.ttl", "60"))))
                .contains("-Dsun.net.inetaddr.ttl: not set -> 60");
    }

    /// If the heap has no space for the young generation, both flags are shown, and that of the
    /// initial heap.
    @Test
    void allFlagsThatChangeAreShown() {
        assertThat(
                        edit(
                                recommendation(
                                        new Change.JvmFlag("-Xmn", "700m"),
                                        new Change.JvmFlag("-Xmx", "1g"),
                                        new Change.JvmFlag("-Xms", "1g"))))
                .contains("-Xmn: not set -> 700m, -Xmx: 512m -> 1g");
        assertThat(
                        edit(
                                recommendation(
                                        new Change.JvmFlag("-Xmn", "64m"),
                                        new Change.JvmFlag("-Xmx", "512m"))))
                .as("the heap stays")
                .contains("-Xmn: not set -> 64m");
    }

    /// The heap may already grow to that size.
    @Test
    void theInitialHeapAloneIsAnEdit() {
        assertThat(edit(recommendation(new Change.JvmFlag("-Xms", "512m"))))
                .contains("-Xms: not set -> 512m");
        assertThat(
                        edit(
                                recommendation(
                                        new Change.JvmFlag("-Xmx", "512m"),
                                        new Change.JvmFlag("-Xms", "512m"))))
                .as("the largest heap stays")
                .contains("-Xms: not set -> 512m");
    }

    /// If a flag occurs twice, the JVM uses the last one.
    @ParameterizedTest
    @CsvSource({
        "-XX:+UseNUMA, -XX:-UseNUMA, -XX:+UseNUMA -> -XX:-UseNUMA",
        "-XX:-UseNUMA, -XX:+UseNUMA, -XX:-UseNUMA -> -XX:+UseNUMA",
        "-XX:-UseNUMA -XX:+UseNUMA, -XX:-UseNUMA, -XX:+UseNUMA -> -XX:-UseNUMA",
        "-XX:-UseNUMA, -XX:-UseNUMA,",
        "-XX:+UseNUMA -XX:-UseNUMA, -XX:-UseNUMA,",
        "-XX:+UseNUMAInterleaving, -XX:-UseNUMA, -XX:-UseNUMA (not set now)",
        "-Xint, -Xint,",
    })
    void booleanFlagIsFoundInItsOnAndOffForm(String now, String to, String edit) {
        assertThat(SettingText.edit(recommendation(new Change.JvmFlag(to)), startedWith(now)))
                .isEqualTo(Optional.ofNullable(edit));
    }

    private static TargetFacts startedWith(String flags) {
        return new TargetFacts(
                Optional.of(1L),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(flags.split(" ")),
                2,
                true,
                List.of(),
                List.of());
    }

    /// The JVM has two spellings for the flags of its heap sizes.
    @ParameterizedTest
    @CsvSource({
        "-XX:MaxHeapSize=128m, -XX:MaxHeapSize=128m -> -Xmx256m",
        "-XX:MaxHeapSize=128m -Xmx192m, -Xmx: 192m -> 256m",
        "-Xmx192m -XX:MaxHeapSize=128m, -XX:MaxHeapSize=128m -> -Xmx256m",
        "-XX:MaxHeapFreeRatio=70, -Xmx: not set -> 256m"
    })
    void presentValueIsFoundUnderTheOtherSpelling(String now, String edit) {
        assertThat(
                        SettingText.edit(
                                recommendation(new Change.JvmFlag("-Xmx", "256m")),
                                startedWith(now)))
                .contains(edit);
    }

    @Test
    void aChangeOfCodeHasNoEdit() {
        assertThat(edit(recommendation(new Change.Code()))).isEmpty();
    }
}
