package dev.jdyno.measure.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.Sentence.Name;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SentenceTest {
    private static final Sentence LOCK = Sentence.name("com.acme.Lock");
    private static final Sentence GET = Sentence.name("com.acme.Page.get");

    private static String shouted(Sentence says) {
        return says.worded(name -> name.toUpperCase(Locale.ROOT));
    }

    @Test
    void sentenceHasNamesOfItsParts() {
        Sentence where = Sentence.format("%s in %s", LOCK, GET);
        Sentence says = Sentence.format("%.1f threads wait for %s.", 19.0, where);

        assertThat(says.text())
                .isEqualTo("19.0 threads wait for com.acme.Lock in com.acme.Page.get.");
        assertThat(shouted(says))
                .isEqualTo("19.0 threads wait for COM.ACME.LOCK in COM.ACME.PAGE.GET.");
        assertThat(shouted(Sentence.format("%2$s after %1$s", LOCK, GET)))
                .isEqualTo("COM.ACME.PAGE.GET after COM.ACME.LOCK");
        assertThat(shouted(Sentence.join(" < ", List.of(GET, LOCK))))
                .isEqualTo("COM.ACME.PAGE.GET < COM.ACME.LOCK");
    }

    @Test
    void keepsEqualTextThatIsNoName() {
        Sentence says = Sentence.of("set -Dcom.acme.Lock=1: ").and(LOCK);

        assertThat(shouted(says)).isEqualTo("set -Dcom.acme.Lock=1: COM.ACME.LOCK");
    }

    @Test
    void storedSentenceKeepsNamesInItsText() {
        Sentence says = Sentence.format("a %s and %s", LOCK, GET);

        assertThat(Sentence.stored(says.text(), says.names())).isEqualTo(says);
        assertThat(Sentence.stored("a *** and com.acme.Page.get", says.names()).names()).isEmpty();
    }

    @Test
    void aNameThatIsNotInTheTextIsRefused() {
        assertThatThrownBy(() -> new Sentence("a", List.of(new Name("b", 0))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
