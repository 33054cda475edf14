package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LayersBesideVerdictTest {
    private static final Layer CPU = new Layer(Layer.Kind.CPU, "", 39, false, "F1", true);
    private static final Layer THREADS =
            new Layer(Layer.Kind.THREADS, "exec", 38, true, "dumps", false);
    private static final Layer POOL =
            new Layer(Layer.Kind.CONNECTIONS, "HikariCP", 10, false, "dumps", true);

    private static final List<ThreadSamples> WINDOWS =
            List.of(
                    new ThreadSamples(
                            24,
                            100,
                            10,
                            1,
                            List.of(new ThreadSamples.Pool("inner", 24, 24, 0, 0, false)),
                            List.of(),
                            0,
                            0));

    private static Verdict verdict(Bottleneck named, String where) {
        return new Verdict(named, where, 0.9, Sentence.of(""), List.of(), List.of());
    }

    private static List<String> rows(Bottleneck named, String where, Layer... layers) {
        return Layers.withVerdictLayer(List.of(layers), verdict(named, where), WINDOWS).stream()
                .map(l ->
                        (l.kind().key() + " " + l.of()).strip()
                                + " "
                                + Math.round(l.atOnce())
                                + (l.smallest() ? " smallest" : ""))
                .toList();
    }

    @Test
    void lockIsALayerWithOnePlace() {
        assertThat(rows(Bottleneck.LOCK, "com.acme.Lock", CPU, THREADS))
                .containsExactly("cpu 39", "threads exec 38", "lock com.acme.Lock 1 smallest");
    }

    @Test
    void innerPoolIsALayerWithItsNumberOfWorkers() {
        assertThat(rows(Bottleneck.POOL_STARVATION, "inner", CPU, THREADS))
                .containsExactly("cpu 39", "threads exec 38", "threads inner 24 smallest");
        assertThat(rows(Bottleneck.POOL_STARVATION, "unseen", CPU, THREADS))
                .containsExactly("cpu 39", "threads exec 38");
    }

    @Test
    void listsSmallestLayerLast() {
        assertThat(rows(Bottleneck.CPU, "", CPU, THREADS))
                .containsExactly("threads exec 38", "cpu 39 smallest");
        assertThat(rows(Bottleneck.CONNECTION_POOL, "HikariCP", THREADS, POOL))
                .containsExactly("threads exec 38", "connections HikariCP 10 smallest");
    }

    @ParameterizedTest
    @EnumSource(names = {"SAFEPOINT", "CLASS_LOADING", "GC_PROMOTION", "DOWNSTREAM", "THREAD_POOL"})
    void marksNoLayerIfVerdictIsAnother(Bottleneck named) {
        assertThat(rows(named, "", CPU, THREADS)).containsExactly("cpu 39", "threads exec 38");
    }

    @Test
    void noLayersGiveNoRows() {
        assertThat(Layers.withVerdictLayer(List.of(), verdict(Bottleneck.LOCK, "a"), WINDOWS))
                .isEmpty();
    }
}
