package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Evaluates every rule and names one bottleneck, or `unknown`.
public final class Diagnosis {
    /// Minimum confidence for a name. Below it the verdict is `unknown`.
    public static final double NAMED_FROM = 0.5;

    /// Share of the best throughput. If a higher load gives less than that, its throughput is
    /// reported.
    private static final double COLLAPSED = 0.7;

    /// Maximum difference of two confidences at which the verdict gives both names.
    static final double TIE = 0.10;

    /// Factor on the weight of a finding that another finding causes.
    static final double SYMPTOM = 0.55;

    /// Share of the target's cores used by other processes from which the target's figures depend
    /// on them.
    static final double OTHERS_SHARE = 0.50;

    /// Maximum confidence if some planned loads were not run. A service that waits for one resource
    /// at the first loads often lacks CPU at the next ones.
    static final double MAX_IF_CUT_OFF = 0.5;

    /// Maximum number of runners-up in the verdict.
    static final int RUNNERS_UP = 5;

    private Diagnosis() {}

    /// @param finding the finding that decides
    /// @param shown the same finding with figures of the report's load; `finding` itself if the
    ///   rule has another finding at that load
    /// @param cause the bottleneck that causes this one; empty if none does
    private record Judged(
            Bottleneck bottleneck,
            Finding finding,
            Finding shown,
            Set<Bottleneck> symptoms,
            Optional<Bottleneck> cause) {
        /// @param at the evidence at the report's load; `evidence` itself if the verdict is decided
        ///   at that load
        @SuppressWarnings("ReferenceEquality")
        static Judged of(Rule rule, Evidence evidence, Evidence at) {
            Finding finding = rule.evaluate(evidence);
            Finding there = at == evidence ? finding : rule.evaluate(at);
            return new Judged(
                    rule.bottleneck(),
                    finding,
                    isSame(finding, there) ? there : finding,
                    rule.bringsAbout(),
                    Optional.empty());
        }

        double weight() {
            return switch (finding) {
                case Finding.Limits l -> l.confidence() * (cause.isPresent() ? SYMPTOM : 1);
                case Finding.Near _ -> NAMED_FROM - 0.01;
                case Finding.Cleared c -> Math.min(c.suspicion(), NAMED_FROM - 0.01);
                case Finding.NotApplicable _ -> 0;
            };
        }

        private boolean isNamed() {
            return finding instanceof Finding.Limits l && l.confidence() >= NAMED_FROM;
        }

        /// Returns this finding with its cause. If there are several causes, one that has no cause
        /// itself is preferred.
        Judged broughtAboutBy(List<Judged> all) {
            Optional<Bottleneck> by =
                    causes(all)
                            .max(
                                    Comparator.comparing(
                                                    (Judged c) -> c.causes(all).findAny().isEmpty())
                                            .thenComparingDouble(Judged::weight))
                            .map(Judged::bottleneck);
            return new Judged(bottleneck, finding, shown, symptoms, by);
        }

        private Stream<Judged> causes(List<Judged> all) {
            return all.stream().filter(c -> c.isNamed() && c.symptoms().contains(bottleneck));
        }
    }

    /// Returns the verdict on the evidence.
    public static Verdict of(Evidence evidence) {
        return of(evidence, evidence, Rules.ALL);
    }

    /// Returns the verdict on the evidence, worded with the figures of one load.
    ///
    /// @param evidence decides, because limits show most clearly at saturation and beyond
    /// @param at the same evidence at the report's load
    public static Verdict of(Evidence evidence, Evidence at) {
        return of(evidence, at, Rules.ALL);
    }

    /// Returns the verdict under a load that jdyno does not control. jdyno cannot raise this load.
    /// If it is low, it does not show the service's limit.
    static Verdict ofForeign(Evidence evidence) {
        return of(
                evidence,
                evidence,
                Rules.ALL.stream().filter(r -> r.bottleneck() != Bottleneck.LOAD).toList());
    }

    /// True if the limit of a verdict is also found at the report's load. Then its recommendations
    /// have figures there, too.
    public static boolean shows(Verdict verdict, Evidence at) {
        return Rules.of(verdict.bottleneck())
                .map(r -> r.evaluate(at))
                .filter(f ->
                        f instanceof Finding.Limits l
                                && l.where().equals(verdict.where())
                                && l.confidence() >= NAMED_FROM)
                .isPresent();
    }

    /// True if a rule has the same finding at another load. If it names a limiting resource, it
    /// must name one there, too.

    private static boolean isSame(Finding finding, Finding there) {
        return switch (finding) {
            case Finding.Limits l ->
                    there instanceof Finding.Limits t
                            && t.where().equals(l.where())
                            && t.confidence() >= Math.min(l.confidence(), NAMED_FROM);
            case Finding.Near(Finding.Limits l) ->
                    there instanceof Finding.Near(Finding.Limits t) && t.where().equals(l.where());
            case Finding.Cleared _ -> there instanceof Finding.Cleared;
            case Finding.NotApplicable _ -> false;
        };
    }

    private static Verdict of(Evidence evidence, Evidence at, List<Rule> rules) {
        List<Judged> alone = rules.stream().map(r -> Judged.of(r, evidence, at)).toList();
        List<Judged> judged =
                alone.stream()
                        .map(j -> j.broughtAboutBy(alone))
                        .sorted(Comparator.comparingDouble(Judged::weight).reversed())
                        .toList();
        Judged first = judged.getFirst();
        if (first.shown() instanceof Finding.Limits limits && first.weight() >= NAMED_FROM) {
            Judged second = judged.get(1);
            boolean tie =
                    second.finding() instanceof Finding.Limits
                            && first.weight() - second.weight() < TIE;
            Optional<Sentence> lookalike =
                    Rules.of(first.bottleneck())
                            .flatMap(r -> r.notRuledOut(evidence, other -> finding(alone, other)));
            Optional<EvidenceLine> collapse = collapse(at);
            Sentence says =
                    limits.says()
                            .and(elsewhere(first, evidence, at))
                            .and(
                                    tie
                                            ? " "
                                                    + second.bottleneck().key()
                                                    + " is nearly as likely."
                                            : "")
                            .and(
                                    lookalike
                                            .map(l -> Sentence.format(" %s.", l))
                                            .orElse(Sentence.of("")))
                            .and(collapse.map(l -> " " + l.says().text() + ".").orElse(""));
            double own = confidence(evidence, first, second);
            double sure = lookalike.isPresent() ? Doubt.LOOKALIKE.cap(own) : own;
            return new Verdict(
                    first.bottleneck(),
                    limits.where(),
                    sure,
                    says,
                    with(limits.evidence(), collapse),
                    runnersUp(judged, first, sure));
        }
        return near(judged)
                .or(() -> TwoQueues.verdict(evidence, runnersUp(judged, null, TwoQueues.SURE)))
                .orElseGet(() -> unknown(at, judged));
    }

    /// Returns a sentence that says that the figures are of another load than the report's; empty
    /// if the loads are the same.
    @SuppressWarnings("ReferenceEquality")
    private static String elsewhere(Judged first, Evidence evidence, Evidence at) {
        int report = at.plateau().concurrency();
        return evidence.saturated()
                .map(ThreadSamples::concurrency)
                .filter(n -> first.shown() == first.finding() && at != evidence && n != report)
                .map(n -> say(" This limit shows with %d in flight, not yet with %d.", n, report))
                .orElse("");
    }

    /// Adds the line about falling throughput. It is omitted if the rule's own evidence already has
    /// this figure.
    private static List<EvidenceLine> with(
            List<EvidenceLine> ofRule, Optional<EvidenceLine> collapse) {
        return ofRule.stream().anyMatch(Figure.THROUGHPUT_LEFT::isOf)
                ? ofRule
                : Stream.concat(ofRule.stream(), collapse.stream()).toList();
    }

    /// Returns the line about a load above the best one that gives much less throughput.
    private static Optional<EvidenceLine> collapse(Evidence evidence) {
        Round best = evidence.plateau();
        return evidence.rounds().stream()
                .filter(r -> r.concurrency() > best.concurrency())
                // a disturbed round has fewer cores, which reduces its throughput anyway
                .filter(r -> r.disturbance().isEmpty())
                .min(Comparator.comparingDouble(Round::qps))
                .filter(r -> r.qps() < COLLAPSED * best.qps())
                .map(r ->
                        line(
                                Figure.THROUGHPUT_LEFT,
                                say(
                                        "Throughput falls from %.0f/s with %d in flight to %.0f/s with %d",
                                        best.qps(), best.concurrency(), r.qps(), r.concurrency()),
                                r.qps() / best.qps(),
                                COLLAPSED));
    }

    private static Optional<Verdict> near(List<Judged> judged) {
        for (Judged j : judged) {
            if (j.shown() instanceof Finding.Near(Finding.Limits limits)) {
                return Optional.of(
                        new Verdict(
                                j.bottleneck(),
                                limits.where(),
                                limits.confidence(),
                                limits.says(),
                                limits.evidence(),
                                runnersUp(judged, j, limits.confidence())));
            }
        }
        return Optional.empty();
    }

    /// Returns the finding's own confidence. It is reduced if there is a second finding that this
    /// one does not cause, or if other processes used the machine's CPU.
    private static double confidence(Evidence evidence, Judged first, Judged second) {
        double sure = first.weight();
        if (second.isNamed() && second.cause().isEmpty()) {
            sure = Doubt.NOT_ALONE.cap(sure);
        }
        boolean disturbedByOthers =
                evidence.cpu()
                        .filter(c -> c.takenByOthers() >= OTHERS_SHARE * c.availableCores())
                        .isPresent();
        if (disturbedByOthers && first.bottleneck() != Bottleneck.CPU_NEIGHBOUR) {
            sure = Doubt.CROWDED.cap(sure);
        }
        return sure;
    }

    /// Returns the verdict for a run in which some planned loads were not tested, so that a limit
    /// beyond them is unknown.
    ///
    /// @param cut the loads that were not tested, as a clause
    public static Verdict cutOff(Verdict verdict, String cut) {
        return doubted(verdict, MAX_IF_CUT_OFF, " But " + cut + ".");
    }

    /// Returns the verdict with a doubt that comes from the measurement itself.
    ///
    /// @param atMost maximum confidence of the verdict and its runners-up
    /// @param says the sentence to add
    public static Verdict doubted(Verdict verdict, double atMost, String says) {
        return new Verdict(
                verdict.bottleneck(),
                verdict.where(),
                Math.min(verdict.confidence(), atMost),
                verdict.says().and(says),
                verdict.evidence(),
                verdict.runnersUp().stream()
                        .map(r ->
                                new RunnerUp(
                                        r.bottleneck(),
                                        Math.min(r.confidence(), atMost),
                                        r.possible(),
                                        r.from(),
                                        r.whyNot(),
                                        r.decided()))
                        .toList());
    }

    private static Finding finding(List<Judged> judged, Bottleneck of) {
        return judged.stream()
                .filter(j -> j.bottleneck() == of)
                .findFirst()
                .orElseThrow()
                .finding();
    }

    private static Verdict unknown(Evidence evidence, List<Judged> judged) {
        List<EvidenceLine> lines = new ArrayList<>();
        evidence.cpuUtilisation()
                .ifPresent(u ->
                        lines.add(
                                line(
                                        Figure.CPU_UTILISATION,
                                        say("CPU at %.0f %% of the cores available to it", u * 100)
                                                + Lines.cpuLoad(evidence),
                                        u,
                                        Saturation.CPU_SATURATED)));
        evidence.saturated()
                .ifPresent(c -> {
                    for (Cause cause : Cause.values()) {
                        if (c.threads(cause) >= 0.1) {
                            lines.add(
                                    line(
                                            Figure.BUSY,
                                            cause.key(),
                                            say(
                                                    "%.1f threads in use in %s",
                                                    c.threads(cause), cause.key()),
                                            c.threads(cause),
                                            0));
                        }
                    }
                });
        return new Verdict(
                Bottleneck.UNKNOWN,
                "",
                0,
                Sentence.of(
                        evidence.saturated().isEmpty() && evidence.counted().isPresent()
                                ? "No thread dump could be taken, so it is not known what"
                                        + " requests wait for. No counted resource reaches its"
                                        + " limit."
                                : "No known bottleneck reaches its limit; the evidence is below."),
                lines,
                runnersUp(judged, null, 1));
    }

    /// @param atMost maximum confidence of a runner-up. It is the maximum of the verdict, because
    ///   the same doubts apply.
    private static List<RunnerUp> runnersUp(
            List<Judged> judged, @org.jspecify.annotations.Nullable Judged winner, double atMost) {
        return judged.stream()
                .filter(j -> !j.equals(winner))
                .filter(j -> !(j.finding() instanceof Finding.NotApplicable))
                .limit(RUNNERS_UP)
                .map(j -> runnerUp(j, Math.min(j.weight(), atMost), Optional.ofNullable(winner)))
                .toList();
    }

    private static RunnerUp runnerUp(Judged judged, double confidence, Optional<Judged> winner) {
        return switch (judged.shown()) {
            case Finding.Limits l -> mayBe(judged, confidence, l);
            case Finding.Near(Finding.Limits l) -> mayBe(judged, confidence, l);
            case Finding.Cleared c ->
                    RunnerUp.ruledOut(
                                    judged.bottleneck(),
                                    confidence,
                                    c.whyNot() + because(c, winner))
                            .decidedBy(
                                    c.below().map(b -> new RunnerUp.Decided(b.value(), b.limit())));
            case Finding.NotApplicable n ->
                    RunnerUp.ruledOut(judged.bottleneck(), confidence, "not judged: " + n.reason());
        };
    }

    /// Returns the end of a reason: the verdict's bottleneck causes what these figures would
    /// otherwise support. Empty if it does not.
    private static String because(Finding.Cleared cleared, Optional<Judged> winner) {
        return cleared.rather()
                .flatMap(rather -> winner.filter(w -> w.symptoms().contains(rather)))
                .map(w -> " as a consequence of " + w.bottleneck().key())
                .orElse("");
    }

    private static RunnerUp mayBe(Judged judged, double confidence, Finding.Limits limits) {
        return new RunnerUp(
                judged.bottleneck(), confidence, true, judged.cause(), limits.statement().reason());
    }
}
