package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.Entry;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static Growth growth(List<Entry.Part> before, double cpuMs) {
        return new Growth(Entry.PartKind.METHOD, before, cpuMs);
    }

    private static Entry.Part method(String name, long samples) {
        return new Entry.Part(Entry.PartKind.METHOD, name, samples * 0.01, samples);
    }

    @Test
    void namesMethodsThatGrewBeyondError() {
        var before =
                List.of(
                        method("com.acme.Price.of", 200),
                        method("com.acme.Page.render", 400),
                        new Entry.Part(Entry.PartKind.CAUSE, "cpu", 6, 0));
        var now =
                List.of(
                        method("com.acme.Price.of", 300),
                        method("com.acme.Page.render", 420),
                        method("com.acme.Log.line", 60),
                        new Entry.Part(Entry.PartKind.CAUSE, "cpu", 9, 0));
        assertThat(growth(before, 6).to(now, 7.8))
                .extracting(Growth.Method::name)
                .containsExactly("com.acme.Price.of", "com.acme.Log.line");
        assertThat(growth(before, 6).to(before, 6)).isEmpty();
        assertThat(growth(now, 7.8).to(before, 6)).isEmpty();
    }

    @Test
    void usesCpuTimeInsteadOfSampleCount() {
        // the second window is shorter: fewer samples of the same work, which takes 5 % more CPU
        // time
        var before = List.of(method("com.acme.Page.render", 970), method("com.acme.Log.line", 30));
        var now = List.of(method("com.acme.Page.render", 582), method("com.acme.Log.line", 18));
        assertThat(growth(before, 10).to(now, 10.5))
                .singleElement()
                .satisfies(g -> {
                    assertThat(g.name()).isEqualTo("com.acme.Page.render");
                    assertThat(g.by()).isCloseTo(0.485, Offset.offset(1e-9));
                });
    }

    @Test
    void profilesOfSeveralDaysCountTogether() {
        // 0.24 ms more in a method that takes a tenth of the time. One profile of 500 samples
        // cannot decide that.
        var day = List.of(method("com.acme.Price.of", 50), method("com.acme.Page.render", 450));
        var today = List.of(method("com.acme.Price.of", 60), method("com.acme.Page.render", 450));
        assertThat(growth(day, 10).to(today, 10.2)).isEmpty();
        assertThat(growth(times(day, 16), 10).to(times(today, 16), 10.2))
                .extracting(Growth.Method::name)
                .containsExactly("com.acme.Price.of");
    }

    private static List<Entry.Part> times(List<Entry.Part> parts, int days) {
        return Collections.nCopies(days, parts).stream().flatMap(List::stream).toList();
    }

    @Test
    void singleMethodGrowsWithCpuTime() {
        var all = List.of(method("com.acme.Page.render", 300));
        assertThat(growth(all, 10).to(all, 10.5)).hasSize(1);
        assertThat(growth(all, 10).to(all, 10.01)).isEmpty();
        assertThat(growth(List.of(), 10).to(all, 10.5)).as("no profile before").isEmpty();
    }

    private static Entry.Part allocation(String name, long samples) {
        return new Entry.Part(Entry.PartKind.ALLOCATION, name, 0, samples);
    }

    private static Growth allocation(List<Entry.Part> before, double bytes) {
        return new Growth(Entry.PartKind.ALLOCATION, before, bytes);
    }

    @Test
    void namesMethodsThatAllocateMore() {
        var before =
                List.of(
                        method("com.acme.Price.of", 900),
                        allocation("com.acme.Page.render", 800),
                        allocation("com.acme.Log.line", 150),
                        allocation("elsewhere", 50));
        var now =
                List.of(
                        method("com.acme.Price.of", 900),
                        allocation("com.acme.Page.render", 800),
                        allocation("com.acme.Log.line", 350),
                        allocation("elsewhere", 90),
                        allocation("not known", 60));

        assertThat(allocation(before, 20_000).to(now, 26_000))
                .singleElement()
                .satisfies(g -> {
                    assertThat(g.name()).isEqualTo("com.acme.Log.line");
                    assertThat(g.before()).isCloseTo(3000, Offset.offset(1e-6));
                    assertThat(g.after()).isCloseTo(7000, Offset.offset(1e-6));
                });
        assertThat(allocation(before, 20_000).to(before, 20_000)).isEmpty();
    }

    /// Only the largest places have their own share. A new one may have been just below the
    /// smallest of them.
    @Test
    void newMethodMustExceedSmallestKnownMethod() {
        var before =
                List.of(
                        allocation("com.acme.Page.render", 800),
                        allocation("com.acme.Log.line", 60),
                        allocation("elsewhere", 140));
        var little =
                List.of(
                        allocation("com.acme.Page.render", 800),
                        allocation("com.acme.Price.of", 70),
                        allocation("elsewhere", 130));
        var much =
                List.of(
                        allocation("com.acme.Page.render", 800),
                        allocation("com.acme.Price.of", 400),
                        allocation("elsewhere", 200));

        assertThat(allocation(before, 10_000).to(little, 10_000)).isEmpty();
        assertThat(allocation(before, 10_000).to(much, 14_000))
                .extracting(Growth.Method::name)
                .containsExactly("com.acme.Price.of");
    }
}
