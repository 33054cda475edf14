package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagNameTest {
    @ParameterizedTest
    @CsvSource({
        "-XX:ConcGCThreads=2, ConcGCThreads",
        "-XX:+UseNUMA, UseNUMA",
        "-XX:-UseNUMA, UseNUMA",
        "-Da=b, -Da",
        "-Xmx1g, -Xmx",
        "-XX:MaxHeapSize=1g, -Xmx",
        "-Xms1g, -Xms",
        "-XX:InitialHeapSize=1g, -Xms",
        "-Xmn1g, -Xmn",
        "-XX:NewSize=1g, NewSize",
        "-Xss1m, -Xss",
        "-XX:ThreadStackSize=1024, -Xss",
        "-XX:MaxNewSize=1g, MaxNewSize",
        "-XX:+UseG1GC, collector",
        "-XX:-UseZGC, collector",
        "-XX:+UseConcMarkSweepGC, collector",
        "-XX:+UseMaximumCompactionOnSystemGC, UseMaximumCompactionOnSystemGC",
        "-Xint, -Xint"
    })
    void spellingsOfOneSettingHaveOneName(String flag, String name) {
        assertThat(FlagName.of(flag)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseG1GC, true",
        "-XX:+UseShenandoahGC, true",
        "-XX:-UseG1GC, false",
        "-XX:+UseMaximumCompactionOnSystemGC, false",
        "-XX:+UseAdaptiveSizePolicyWithSystemGC, false"
    })
    void onlyANamedCollectorIsChosen(String flag, boolean chooses) {
        assertThat(FlagName.choosesCollector(flag)).isEqualTo(chooses);
    }
}
