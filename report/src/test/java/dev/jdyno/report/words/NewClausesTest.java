package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A reader of the first screen reads no fact of it again.
class NewClausesTest {
    private static String of(String sentence, String... read) {
        return NewClauses.of(sentence, List.of(read)).orElse("");
    }

    /// Three kinds of limits: CPU, a pool, a quota.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CPU is the bottleneck: each request takes 4.5 ms of CPU, and 1.91 of the 1.94 cores"
                        + " are in use | (1.91 of 1.94) | each request takes 4.5 ms of CPU.",
                "The thread pool is the bottleneck: all 4 threads are in use (mostly 10.0.0.7:80)"
                        + " while 22 % of the requests wait; CPU is at 15 %. | 0.1 of 4 threads, 22 % of"
                        + " the requests | all 4 threads are in use (mostly 10.0.0.7:80); CPU is at 15 %.",
                "The CPU quota is the bottleneck: it uses all of the 0.80 cores, while the machine was"
                        + " 45 % busy. | 0.80 of the quota's 0.80 cores | the machine was 45 % busy."
            })
    void clausesWhoseFiguresWereReadAreLeftOut(String sentence, String read, String left) {
        assertThat(of(sentence, read)).isEqualTo(left);
    }

    @Test
    void aNewNameIsNewAlthoughItsFigureIsNot() {
        assertThat(of("A pool is full: 4 threads wait in com.acme.Page.get.", "4 threads"))
                .isEqualTo("4 threads wait in com.acme.Page.get.");
    }

    /// `gc-leak is not ruled out` decides, whatever its reason repeats.
    @Test
    void aClauseWithoutAFigureStays() {
        assertThat(
                        of(
                                "The collector is the bottleneck: it stops it 83 % of the time; gc-leak is"
                                        + " not ruled out: 100 % stay, so a leak has no room.",
                                "83 % of the time, 100 % of the old generation"))
                .isEqualTo("gc-leak is not ruled out.");
    }

    @Test
    void aWholeFigureIsTheSameWithAndWithoutItsZero() {
        assertThat(of("The loops are blocked: 2 requests are unread.", "2.0 connections unread"))
                .isEmpty();
    }

    @Test
    void aSentenceOfWhichNothingWasReadStaysWhole() {
        String says = "12 of 14 threads wait for a lock, 3 of them twice.";

        assertThat(of(says)).isEqualTo(says);
        assertThat(Stream.of(says.split(" ")).map(w -> of(says, w)))
                .allSatisfy(left -> assertThat(left).isNotEmpty());
    }
}
