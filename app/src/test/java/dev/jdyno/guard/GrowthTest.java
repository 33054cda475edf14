package dev.jdyno.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.Entry;
import java.util.List;
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
        assertThat(new Growth(before).to(now))
                .extracting(Guarded.Grew::method)
                .containsExactly("com.acme.Price.of", "com.acme.Log.line");
        assertThat(new Growth(before).to(before)).isEmpty();
        assertThat(new Growth(now).to(before)).isEmpty();
    }
}
