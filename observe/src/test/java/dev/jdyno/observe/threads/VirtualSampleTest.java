package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.foreign.Malformed;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualSampleTest {
    private static final String OTHERS = "{\"name\": \"main\", \"stack\": [\"a.B.c(D.java:1)\"]}";

    /// A thread as JDK 25 or JDK 21 writes it. In JDK 21, only the bottom frame shows that it is
    /// virtual.
    private static String thread(String name, boolean says) {
        return "{\"name\": \""
                + name
                + "\", "
                + (says ? "\"virtual\": true, " : "")
                + "\"stack\": [\"com.acme."
                + name
                + ".get(Page.java:7)\""
                + (says
                        ? ""
                        : ", \"java.base/java.lang.VirtualThread.run(VirtualThread.java:309)\"")
                + "]}";
    }

    /// A dump with one container for each list.
    private static String dump(List<List<String>> containers) {
        List<String> all =
                containers.stream()
                        .map(c ->
                                "{\"container\": \"c\", \"threads\": ["
                                        + String.join(",", c)
                                        + "]}")
                        .toList();
        return "{\"threadDump\": {\"threadContainers\": [" + String.join(",", all) + "]}}";
    }

    private static VirtualSample read(String json, int atMost, long seed) throws Exception {
        return VirtualSample.read(
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
                atMost,
                new SplittableRandom(seed));
    }

    private static double share(VirtualSample sample, String name) {
        return sample.threads().stream().filter(t -> t.name().equals(name)).count()
                / (double) sample.threads().size();
    }

    /// The first part of the file contains only one kind. With 1,000 of 10,000 threads, a share of
    /// 0.3 has a standard error of 0.014.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void groupedKindsHaveTheirShares(long seed) throws Exception {
        String json =
                dump(
                        List.of(
                                Collections.nCopies(3_000, thread("First", true)),
                                List.of(OTHERS),
                                Collections.nCopies(5_000, thread("Second", false)),
                                Collections.nCopies(2_000, thread("Third", true))));

        VirtualSample sample = read(json, 1_000, seed);

        assertThat(sample.threads()).hasSize(1_000);
        assertThat(sample.total()).isEqualTo(10_000);
        assertThat(sample.weight()).isEqualTo(10);
        assertThat(share(sample, "First")).isCloseTo(0.3, Offset.offset(0.06));
        assertThat(share(sample, "Second")).isCloseTo(0.5, Offset.offset(0.06));
        assertThat(share(sample, "Third")).isCloseTo(0.2, Offset.offset(0.06));
    }

    /// Each of 20 threads is among 5 sampled ones in a quarter of 4,000 samples, with a standard
    /// error of 27.
    @Test
    void eachThreadIsKeptAsOftenAsAnyOther() throws Exception {
        String json =
                dump(List.of(IntStream.range(0, 20).mapToObj(i -> thread("T" + i, true)).toList()));
        int[] kept = new int[20];
        for (int seed = 0; seed < 4_000; seed++) {
            read(json, 5, seed)
                    .threads()
                    .forEach(t -> kept[Integer.parseInt(t.name().substring(1))]++);
        }

        assertThat(kept)
                .satisfies(k -> assertThat(IntStream.of(k)).allMatch(n -> n > 860 && n < 1_140));
    }

    @Test
    void readsSmallDumpCompletely() throws Exception {
        String json =
                dump(List.of(List.of(thread("A", true), OTHERS), List.of(thread("B", false))));

        VirtualSample sample = read(json, 2, 1);

        assertThat(sample.threads()).extracting(t -> t.name()).containsExactly("A", "B");
        assertThat(sample.weight()).isEqualTo(1);
    }

    @Test
    void theSameSeedKeepsTheSameThreads() throws Exception {
        String json =
                dump(
                        List.of(
                                IntStream.range(0, 500)
                                        .mapToObj(i -> thread("T" + i, true))
                                        .toList()));

        assertThat(read(json, 50, 7)).isEqualTo(read(json, 50, 7));
        assertThat(read(json, 50, 7)).isNotEqualTo(read(json, 50, 8));
    }

    @Test
    void emptyDumpHasNoVirtualThreads() throws Exception {
        VirtualSample sample = read(dump(List.of(List.of(OTHERS))), 5, 1);

        assertThat(sample.total()).isZero();
        assertThat(sample.weight() * sample.threads().size()).isZero();
    }

    /// For example a truncated dump.
    @Test
    void ignoresIncompleteDump() {
        String json = dump(List.of(List.of(thread("A", true), thread("B", true))));

        assertThatThrownBy(() -> read(json.substring(0, json.length() / 2), 5, 1))
                .isInstanceOf(Malformed.class);
    }
}
