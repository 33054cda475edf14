package dev.jdyno.measure.verdict;

import dev.jdyno.measure.text.Sentence;
import java.util.List;
import java.util.Optional;

/// The conclusions from one recording. All forms of the report show these values and compute none
/// of their own.
///
/// @param knee knee of the closed-loop rounds, at which throughput stops rising
/// @param whatIf predictions by the laws of the knee (F1) and of throughput at saturation (F2);
///   empty without a knee
/// @param capacityNotes notes on knee, demands and what-ifs
/// @param layers maximum number of concurrent requests of each layer, the largest first and the
///   limit last; empty when fewer than two are known
/// @param recommendations recommendations, the largest predicted gain first
/// @param load the load of the figures; empty in older results, which do not have it
/// @param figures consistent figures of that load; empty in older results, and without a diagnostic
///   window at that load
public record Judged(
        Optional<Knee> knee,
        List<Demand> demands,
        List<WhatIf> whatIf,
        CapacityNotes capacityNotes,
        List<Layer> layers,
        Verdict verdict,
        List<Recommendation> recommendations,
        Validity validity,
        Optional<ReportedLoad> load,
        List<PointFigure> figures) {
    public Judged {
        demands = List.copyOf(demands);
        whatIf = List.copyOf(whatIf);
        layers = List.copyOf(layers);
        recommendations = List.copyOf(recommendations);
        figures = List.copyOf(figures);
    }

    /// Conclusions without a particular load.
    public Judged(
            Optional<Knee> knee,
            List<Demand> demands,
            List<WhatIf> whatIf,
            CapacityNotes capacityNotes,
            List<Layer> layers,
            Verdict verdict,
            List<Recommendation> recommendations,
            Validity validity) {
        this(
                knee,
                demands,
                whatIf,
                capacityNotes,
                layers,
                verdict,
                recommendations,
                validity,
                Optional.empty(),
                List.of());
    }

    /// The same conclusions with figures for one load.
    ///
    /// @param reconciled all figures of that load
    public Judged at(ReportedLoad reported, List<PointFigure> reconciled) {
        return new Judged(
                knee,
                demands,
                whatIf,
                capacityNotes,
                layers,
                verdict,
                recommendations,
                validity,
                Optional.of(reported),
                reconciled);
    }

    /// A judgement that only states why there are no conclusions.
    ///
    /// @param why the verdict's one sentence
    public static Judged nothing(String why, Validity validity) {
        return new Judged(
                Optional.empty(),
                List.of(),
                List.of(),
                CapacityNotes.NONE,
                List.of(),
                new Verdict(Bottleneck.UNKNOWN, "", 0, Sentence.of(why), List.of(), List.of()),
                List.of(),
                validity);
    }
}
