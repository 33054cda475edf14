package dev.jdyno.report.words;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import java.util.List;
import java.util.Optional;

/// Exceptions in words.
public final class ExceptionText {
    /// Minimum exceptions per request for a line on the terminal.
    private static final double WORTH_A_LINE = 1;

    private ExceptionText() {}

    /// `Exceptions at N=20: 61 a request (109,000/s), 84 % com.acme.NotFound by com.acme.Foo.find`;
    /// empty if a request throws less than one.
    public static Optional<Sentence> line(Insight insight) {
        List<Insight.Thrown> thrown = insight.exceptionsAtHighestLoad();
        double perRequest = Insight.exceptionsPerRequest(thrown);
        if (perRequest < WORTH_A_LINE) {
            return Optional.empty();
        }
        Insight.Thrown mostFrequent = thrown.getFirst();
        return Optional.of(
                Sentence.format(
                        "Exceptions at N=%d: %s a request (%s/s), %s %s by %s",
                        mostFrequent.concurrency(),
                        Figures.number(perRequest),
                        Figures.number(mostFrequent.perSecond() / mostFrequent.share()),
                        Figures.percent(mostFrequent.share()),
                        Sentence.name(mostFrequent.type()),
                        PlaceText.named(mostFrequent.site())));
    }
}
