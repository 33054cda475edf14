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

/// Asks every rule and names one bottleneck, or honestly none.
public final class Diagnosis {
    /// Below this confidence no rule's name is given: never guess.
    public static final double NAMED_FROM = 0.5;

    /// Part of the best throughput below which that of a larger load is worth a sentence.
    private static final double COLLAPSED = 0.7;

    /// Two findings within this of each other are both named.
    static final double TIE = 0.10;

    /// Factor on the weight of a finding that another one brings about.
    static final double SYMPTOM = 0.55;

    /// Share of the target's cores held by others from which its figures are theirs, too.
    static final double CROWDED = 0.50;

    /// Most confidence where loads that were planned were not run: a service that waits at the
    /// first of them is often out of CPU at the next.
    static final double CUT_OFF_AT_MOST = 0.5;

    /// Runners-up that are printed.
    static final int RUNNERS_UP = 5;

    private Diagnosis() {}

    /// @param finding decides
    /// @param shown the same finding with figures of the load that the report speaks of; the
    ///   deciding one where the rule finds something else at that load
    /// @param cause what brings it about; empty when it stands for itself
    private record Judged(
            Bottleneck bottleneck,
            Finding finding,
            Finding shown,
            Set<Bottleneck> symptoms,
            Optional<Bottleneck> cause) {
        /// @param at the evidence itself where the report's load is the one that decides
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

        /// What is brought about by something else again is no reason beside that.
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

    /// The verdict on one body of evidence.
    public static Verdict of(Evidence evidence) {
        return of(evidence, evidence, Rules.ALL);
    }

    /// The verdict on one body of evidence, worded with figures of one load.
    ///
    /// @param evidence decides: at saturation and beyond it limits show most clearly
    /// @param at the same at the load that the report speaks of
    public static Verdict of(Evidence evidence, Evidence at) {
        return of(evidence, at, Rules.ALL);
    }

    /// The same of a load that is not ours: jdyno cannot raise it, so that it is low says nothing
    /// of the service.
    static Verdict ofForeign(Evidence evidence) {
        return of(
                evidence,
                evidence,
                Rules.ALL.stream().filter(r -> r.bottleneck() != Bottleneck.LOAD).toList());
    }

    /// Whether the limit of a verdict shows at the load that the report speaks of: then its
    /// recommendations have their figures there, too.
    public static boolean shows(Verdict verdict, Evidence at) {
        return Rules.of(verdict.bottleneck())
                .map(r -> r.evaluate(at))
                .filter(f ->
                        f instanceof Finding.Limits l
                                && l.where().equals(verdict.where())
                                && l.confidence() >= NAMED_FROM)
                .isPresent();
    }

    /// Whether a rule finds the same at another load; what names a limit must do so there, too.

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
        return near(judged).orElseGet(() -> unknown(at, judged));
    }

    /// That the figures are of another load than the report's; empty where they are of that one.
    @SuppressWarnings("ReferenceEquality")
    private static String elsewhere(Judged first, Evidence evidence, Evidence at) {
        int report = at.plateau().concurrency();
        return evidence.saturated()
                .map(ThreadSamples::concurrency)
                .filter(n -> first.shown() == first.finding() && at != evidence && n != report)
                .map(n -> say(" This limit shows with %d in flight, not yet with %d.", n, report))
                .orElse("");
    }

    /// Where a rule's own evidence has the figure, it stands there alone.
    private static List<EvidenceLine> with(
            List<EvidenceLine> ofRule, Optional<EvidenceLine> collapse) {
        return ofRule.stream().anyMatch(Figure.THROUGHPUT_LEFT::isOf)
                ? ofRule
                : Stream.concat(ofRule.stream(), collapse.stream()).toList();
    }

    /// That more load than the best gives much less.
    private static Optional<EvidenceLine> collapse(Evidence evidence) {
        Round best = evidence.plateau();
        return evidence.rounds().stream()
                .filter(r -> r.concurrency() > best.concurrency())
                // with fewer cores it gives less anyway
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

    /// The finding's own confidence, less where the evidence contradicts itself: another finding
    /// stands that this one does not bring about, or other processes used the machine's CPU
    /// meanwhile.
    private static double confidence(Evidence evidence, Judged first, Judged second) {
        double sure = first.weight();
        if (second.isNamed() && second.cause().isEmpty()) {
            sure = Doubt.NOT_ALONE.cap(sure);
        }
        boolean crowded =
                evidence.cpu()
                        .filter(c -> c.takenByOthers() >= CROWDED * c.availableCores())
                        .isPresent();
        if (crowded && first.bottleneck() != Bottleneck.CPU_NEIGHBOUR) {
            sure = Doubt.CROWDED.cap(sure);
        }
        return sure;
    }

    /// The verdict on loads of which some were still to come: what limits beyond them was not seen.
    ///
    /// @param cut which, in a clause
    public static Verdict cutOff(Verdict verdict, String cut) {
        return doubted(verdict, CUT_OFF_AT_MOST, " But " + cut + ".");
    }

    /// A verdict with a doubt that the measurement itself raises.
    ///
    /// @param atMost its confidence, and that of the names beside it
    /// @param says the next sentence
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
                                        Saturation.CPU_USED_UP)));
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
                                ? "No thread dump could be had, so what requests wait for was not seen;"
                                        + " of what was counted nothing reaches its limit."
                                : "No known bottleneck reaches its limit; the evidence is below."),
                lines,
                runnersUp(judged, null, 1));
    }

    /// @param atMost what doubts the verdict doubts them, too: none is more likely than it
    private static List<RunnerUp> runnersUp(
            List<Judged> judged, @org.jspecify.annotations.Nullable Judged winner, double atMost) {
        return judged.stream()
                .filter(j -> !j.equals(winner))
                .filter(j -> !(j.finding() instanceof Finding.NotApplicable))
                .limit(RUNNERS_UP)
                .map(j -> runnerUp(j, Math.min(j.weight(), atMost)))
                .toList();
    }

    private static RunnerUp runnerUp(Judged judged, double confidence) {
        return switch (judged.shown()) {
            case Finding.Limits l -> mayBe(judged, confidence, l);
            case Finding.Near(Finding.Limits l) -> mayBe(judged, confidence, l);
            case Finding.Cleared c ->
                    RunnerUp.ruledOut(judged.bottleneck(), confidence, c.whyNot())
                            .decidedBy(
                                    c.below().map(b -> new RunnerUp.Decided(b.value(), b.limit())));
            case Finding.NotApplicable n ->
                    RunnerUp.ruledOut(judged.bottleneck(), confidence, "not judged: " + n.reason());
        };
    }

    private static RunnerUp mayBe(Judged judged, double confidence, Finding.Limits limits) {
        return new RunnerUp(
                judged.bottleneck(), confidence, true, judged.cause(), limits.statement().reason());
    }
}
