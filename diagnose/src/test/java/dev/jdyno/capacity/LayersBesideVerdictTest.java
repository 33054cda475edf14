package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.capacity.Layers.Layer;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LayerRowsTest {
    private static final Layer CPU = new Layer("CPU", 39, false, "F1", false, true);
    private static final Layer THREADS =
            new Layer("threads of exec", 38, true, "dumps", false, false);
    private static final Layer POOL =
            new Layer("connections of HikariCP", 10, false, "dumps", false, true);

    private static final Optional<Census> WINDOW = ResultFixture.e1().census().stream().findFirst();

    private static Verdict verdict(Bottleneck named, String where) {
        return new Verdict(named, where, 0.9, "", List.of(), List.of());
    }

    private static List<String> rows(Bottleneck named, String where, Layer... layers) {
        return LayerRows.of(List.of(layers), verdict(named, where), WINDOW).stream()
                .map(l ->
                        l.name()
                                + " "
                                + Figures.number(l.atOnce())
                                + (l.smallest() ? " smallest" : ""))
                .toList();
    }

    @Test
    void aLockIsALayerOfOne() {
        assertThat(rows(Bottleneck.LOCK, "com.acme.Lock", CPU, THREADS))
                .containsExactly("CPU 39", "threads of exec 38", "lock com.acme.Lock 1 smallest");
    }

    @Test
    void anInnerPoolIsALayerOfItsWorkers() {
        assertThat(rows(Bottleneck.POOL_STARVATION, "http-nio-#-exec", CPU, THREADS))
                .containsExactly(
                        "CPU 39", "threads of exec 38", "threads of http-nio-#-exec 24 smallest");
        assertThat(rows(Bottleneck.POOL_STARVATION, "unseen", CPU, THREADS))
                .containsExactly("CPU 39", "threads of exec 38");
    }

    @Test
    void theSmallestStandsLastBelowWhatMayBearMore() {
        assertThat(rows(Bottleneck.CPU, "", CPU, THREADS))
                .containsExactly("threads of exec 38", "CPU 39 smallest");
        assertThat(rows(Bottleneck.CONNECTION_POOL, "HikariCP", THREADS, POOL))
                .containsExactly("threads of exec 38", "connections of HikariCP 10 smallest");
    }

    @ParameterizedTest
    @EnumSource(names = {"SAFEPOINT", "CLASS_LOADING", "GC_PROMOTION", "DOWNSTREAM", "THREAD_POOL"})
    void noneIsTheSmallestWhereTheVerdictIsSomethingElse(Bottleneck named) {
        assertThat(rows(named, "", CPU, THREADS)).containsExactly("CPU 39", "threads of exec 38");
    }

    @Test
    void noLayersStayNone() {
        assertThat(LayerRows.of(List.of(), verdict(Bottleneck.LOCK, "a"), WINDOW)).isEmpty();
    }
}
