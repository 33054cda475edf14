package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Grown;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Profile.Kind;
import dev.jdyno.measure.thread.Profile.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthTest {
    /// A profile of one pool with one caller, and 100 samples for each thread.
    private static Profile profile(int concurrency, double qps, long steady, long contended) {
        var caller =
                new Node(
                        "Page.get",
                        steady + contended,
                        List.of(
                                new Node("Page.render", steady, List.of()),
                                new Node("Cache.lock", contended, List.of())));
        var pool = new Node("http", steady + contended, List.of(caller));
        return new Profile(
                Kind.CPU,
                "async-profiler",
                concurrency,
                qps,
                0.01,
                0,
                new Node("all", steady + contended, List.of(pool)));
    }

    @Test
    void namesMethodThatCostsMoreInsteadOfItsCaller() {
        // render takes 1 ms a request in both windows, the lock 0.1 and 2 ms
        List<Grown> grown =
                Growth.between(profile(2, 100, 1000, 100), profile(40, 200, 2000, 40_00));

        assertThat(grown).extracting(Grown::method).containsExactly("Cache.lock");
        assertThat(grown.getFirst().beforeMs()).isEqualTo(10);
        assertThat(grown.getFirst().afterMs()).isEqualTo(200);
    }

    @Test
    void aWaitInNativeCodeIsNamedByTheMethodThatWaits() {
        List<Grown> grown = Growth.between(waiting(2, 100), waiting(40, 4000));

        assertThat(grown).extracting(Grown::method).containsExactly("com.acme.Cache.get");
    }

    private static Profile waiting(int concurrency, long samples) {
        var futex = new Node("__futex_abstimed_wait_common", samples, List.of());
        var park = new Node("jdk.internal.misc.Unsafe.park", samples, List.of(futex));
        var get = new Node("com.acme.Cache.get", samples, List.of(park));
        var all = new Node("all", samples, List.of(new Node("http", samples, List.of(get))));
        return new Profile(Kind.WALL, "async-profiler", concurrency, 100, 0.01, 0, all);
    }

    @Test
    void ignoresGrowthOfFewSamples() {
        assertThat(Growth.between(profile(2, 100, 1000, 3), profile(40, 100, 1000, 6))).isEmpty();
    }

    @Test
    void listsShrunkMethodsLast() {
        List<Grown> changed =
                Growth.between(profile(2, 100, 4000, 100), profile(40, 100, 100, 4000));

        assertThat(changed).extracting(Grown::method).containsExactly("Cache.lock", "Page.render");
        assertThat(changed.getLast().byMs()).isNegative();
    }

    @Test
    void comparesOnlyProfilesOfSameSourceWithThroughput() {
        Profile one = profile(2, 100, 1000, 10);
        var dumps = new Profile(Kind.CPU, "jfr", 40, 100, 1, 0, profile(40, 1, 10, 4000).root());

        assertThat(Growth.between(one, dumps)).isEmpty();
        assertThat(Growth.between(one, profile(40, 0, 10, 4000))).isEmpty();
    }

    @Test
    void insightComparesProfilesOfItsLowestAndHighestLoad() {
        var seen =
                new Insight(
                        List.of(profile(40, 100, 1000, 4000), profile(2, 100, 1000, 100)),
                        List.of(),
                        List.of(),
                        List.of());

        assertThat(Growth.explained(seen).grown())
                .singleElement()
                .satisfies(g -> assertThat(g.byMs()).isPositive());
    }

    /// render takes 400 ms of a request with 2 in flight and 10 ms with 40.
    @Test
    void growthWithLoadExcludesShrunkMethods() {
        var seen =
                new Insight(
                        List.of(profile(2, 100, 4000, 100), profile(40, 100, 100, 4000)),
                        List.of(),
                        List.of(),
                        List.of());

        assertThat(Growth.explained(seen).grown())
                .extracting(Grown::method)
                .containsExactly("Cache.lock");
    }
}
