package dev.jdyno.report.json;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.util.StdConverter;

/// Records with a sentence: its text under the record's key, and beside it, as `names`, the classes
/// and methods that it names with where in the text each begins.
final class Sentences {
    private Sentences() {}

    record VerdictForm(
            Bottleneck bottleneck,
            String where,
            double confidence,
            String says,
            List<Sentence.Name> names,
            List<Verdict.EvidenceLine> evidence,
            List<Verdict.RunnerUp> runnersUp) {}

    static final class WriteVerdict extends StdConverter<Verdict, VerdictForm> {
        @Override
        public VerdictForm convert(Verdict v) {
            return new VerdictForm(
                    v.bottleneck(),
                    v.where(),
                    v.confidence(),
                    v.says().text(),
                    v.says().names(),
                    v.evidence(),
                    v.runnersUp());
        }
    }

    static final class ReadVerdict extends StdConverter<VerdictForm, Verdict> {
        @Override
        public Verdict convert(VerdictForm v) {
            return new Verdict(
                    v.bottleneck,
                    v.where,
                    v.confidence,
                    Sentence.stored(v.says, v.names),
                    v.evidence,
                    v.runnersUp);
        }
    }

    record EvidenceForm(
            String id,
            String says,
            List<Sentence.Name> names,
            double value,
            String unit,
            double limit) {}

    static final class WriteEvidence extends StdConverter<Verdict.EvidenceLine, EvidenceForm> {
        @Override
        public EvidenceForm convert(Verdict.EvidenceLine e) {
            return new EvidenceForm(
                    e.id(), e.says().text(), e.says().names(), e.value(), e.unit(), e.limit());
        }
    }

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

    static final class WriteRunnerUp extends StdConverter<Verdict.RunnerUp, RunnerUpForm> {
        @Override
        public RunnerUpForm convert(Verdict.RunnerUp r) {
            return new RunnerUpForm(
                    r.bottleneck(),
                    r.confidence(),
                    r.possible(),
                    r.from(),
                    r.whyNot().text(),
                    r.whyNot().names(),
                    r.decided());
        }
    }

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
