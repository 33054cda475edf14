package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Printable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "175.34, 175",
        "99.96, 100",
        "99.94, 99.9",
        "92, 92",
        "9.996, 10",
        "1.714, 1.71",
        "0.0314, 0.031",
        "-12.34, -12.3",
        "1234567, 1234567",
        "Infinity, unlimited",
        "NaN, -",
    })
    void aNumberHasThreeSignificantDigitsAndNoExponent(double value, String text) {
        assertThat(Figures.number(value)).isEqualTo(text);
    }

    @Test
    void aRangeOfOneFigureIsThatFigure() {
        assertThat(Figures.range(new Interval(18.4, 22.1))).isEqualTo("18.4 to 22.1");
        assertThat(Figures.range(Interval.exactly(20))).isEqualTo("20");
    }

    @Test
    void removesTerminalControlCharacters() {
        assertThat(Printable.plain("a\u001b[2Jb\r\nc\u202ed\u200be")).isEqualTo("a [2Jb c d e");
        assertThat(Printable.plain("\u009b31mred\u2066")).isEqualTo("31mred");
    }

    @Test
    void quantileNeedsEnoughRequestsForAValueAboveIt() {
        assertThat(Figures.carries(100, 0.99)).isTrue();
        assertThat(Figures.carries(99, 0.99)).isFalse();
        assertThat(Figures.carries(1000, 0.999)).isTrue();
        assertThat(Figures.carries(140, 0.999)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "18.34, N=18.3, 18.3",
        "1, N=1, 1",
        "0.9999, N=1, 1",
        "0.99, below one request at a time, <1",
        "0.2, below one request at a time, <1"
    })
    void fractionOfRequestIsNoCount(double n, String says, String inAColumn) {
        assertThat(Figures.inFlight(n)).isEqualTo(says);
        assertThat(Figures.inFlightShort(n)).isEqualTo(inAColumn);
    }
}
