package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.Entry;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static Entry.Part method(String name, long samples) {
        return new Entry.Part(Entry.PartKind.METHOD, name, samples * 0.01, samples);
    }

    @Test
    void namesWhatGrewBeyondItsError() {
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
        assertThat(new Growth(before, 6).to(now, 7.8))
                .extracting(Guarded.Grew::method)
                .containsExactly("com.acme.Price.of", "com.acme.Log.line");
        assertThat(new Growth(before, 6).to(before, 6)).isEmpty();
        assertThat(new Growth(now, 7.8).to(before, 6)).isEmpty();
    }

    @Test
    void theMeasuredCpuTimeCountsAndNotTheNumberOfSamples() {
        // a shorter window the second time: fewer samples of the same work, which takes 5 % more
        var before = List.of(method("com.acme.Page.render", 970), method("com.acme.Log.line", 30));
        var now = List.of(method("com.acme.Page.render", 582), method("com.acme.Log.line", 18));
        assertThat(new Growth(before, 10).to(now, 10.5))
                .singleElement()
                .satisfies(g -> {
                    assertThat(g.method()).isEqualTo("com.acme.Page.render");
                    assertThat(g.byMs()).isCloseTo(0.485, Offset.offset(1e-9));
                });
    }

    @Test
    void profilesOfSeveralDaysCountTogether() {
        // 0.24 ms more in a method of a tenth: one profile of 500 samples leaves it open
        var day = List.of(method("com.acme.Price.of", 50), method("com.acme.Page.render", 450));
        var today = List.of(method("com.acme.Price.of", 60), method("com.acme.Page.render", 450));
        assertThat(new Growth(day, 10).to(today, 10.2)).isEmpty();
        assertThat(new Growth(times(day, 16), 10).to(times(today, 16), 10.2))
                .extracting(Guarded.Grew::method)
                .containsExactly("com.acme.Price.of");
    }

    private static List<Entry.Part> times(List<Entry.Part> parts, int days) {
        return Collections.nCopies(days, parts).stream().flatMap(List::stream).toList();
    }

    @Test
    void theOnlyMethodHasGrownWhereTheCpuTimeHas() {
        var all = List.of(method("com.acme.Page.render", 300));
        assertThat(new Growth(all, 10).to(all, 10.5)).hasSize(1);
        assertThat(new Growth(all, 10).to(all, 10.01)).isEmpty();
        assertThat(new Growth(List.of(), 10).to(all, 10.5)).as("no profile before").isEmpty();
    }
}
