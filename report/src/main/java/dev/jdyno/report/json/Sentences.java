package dev.jdyno.report.json;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.util.StdConverter;

/// The form of records that have a sentence. Its text is under the record's key. The key `names`
/// next to it lists the classes and methods in the text, with the position at which each begins.
final class Sentences {
    private Sentences() {}

    record VerdictForm(
            Bottleneck bottleneck,
            String where,
            double confidence,
            String says,
            List<Sentence.Name> names,
            List<Verdict.EvidenceLine> evidence,
            List<Verdict.RunnerUp> runnersUp,
            Optional<NextLimit> nextLimit) {}

    static final class ReadVerdict extends StdConverter<VerdictForm, Verdict> {
        @Override
        public Verdict convert(VerdictForm v) {
            return new Verdict(
                    v.bottleneck,
                    v.where,
                    v.confidence,
                    Sentence.stored(v.says, v.names),
                    v.evidence,
                    v.runnersUp,
                    v.nextLimit);
        }
    }

    record EvidenceForm(
            String id,
            String says,
            List<Sentence.Name> names,
            double value,
            String unit,
            double limit) {}

    static final class ReadEvidence extends StdConverter<EvidenceForm, Verdict.EvidenceLine> {
        @Override
        public Verdict.EvidenceLine convert(EvidenceForm e) {
            return new Verdict.EvidenceLine(
                    e.id, Sentence.stored(e.says, e.names), e.value, e.unit, e.limit);
        }
    }

    record RunnerUpForm(
            Bottleneck bottleneck,
            double confidence,
            boolean possible,
            Optional<Bottleneck> from,
            String whyNot,
            List<Sentence.Name> names,
            Optional<Verdict.RunnerUp.Decided> decided) {}

    static final class ReadRunnerUp extends StdConverter<RunnerUpForm, Verdict.RunnerUp> {
        @Override
        public Verdict.RunnerUp convert(RunnerUpForm r) {
            return new Verdict.RunnerUp(
                    r.bottleneck,
                    r.confidence,
                    r.possible,
                    r.from,
                    Sentence.stored(r.whyNot, r.names),
                    r.decided);
        }
    }
}
