package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.Auditor;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.words.Figures;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// No result of a kept recording shows an impossible figure.
class AuditTest {
    /// Bottlenecks whose removal ends a wait and saves no CPU time. The exception is logging, where
    /// fewer lines save CPU time.
    private static final Set<Bottleneck> WAITS =
            EnumSet.of(
                    Bottleneck.LOCK,
                    Bottleneck.CONNECTION_POOL,
                    Bottleneck.THREAD_POOL,
                    Bottleneck.POOL_STARVATION,
                    Bottleneck.LOGGING);

    @Test
    void shownFiguresPassTheAuditor() throws IOException {
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());

            assertThat(Auditor.violations(result)).as(kept.getKey()).isEmpty();
        }
    }

    /// In every round, the parts of a breakdown sum up to at most the response time. Rounds from
    /// which the auditor removed the breakdown are left out.
    @Test
    void partsAreNoMoreThanTheirWhole() throws IOException {
        int whole = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (Round round : result.rounds()) {
                if (round.anatomy().isEmpty()) {
                    continue;
                }
                Breakdown parts = round.anatomy().get();
                String of = kept.getKey() + " N=" + round.concurrency();
                assertThat(parts.sumMs())
                        .as(of)
                        .isLessThanOrEqualTo(round.rtMs().mean() * (1 + 1e-9));
                for (Cause cause : Cause.values()) {
                    assertThat(
                                    parts.topN().stream()
                                            .filter(s -> s.cause() == cause)
                                            .mapToDouble(Breakdown.Spot::ms)
                                            .sum())
                            .as(of + " " + cause.key())
                            .isLessThanOrEqualTo(parts.ms(cause) * (1 + 1e-9));
                }
                whole++;
            }
        }
        assertThat(whole).isGreaterThan(200);
    }

    /// Two bounds: N divided by the response time of a single request, and the bound of the model
    /// itself.
    @Test
    void whatIfStaysWithinLittlesLaw() throws IOException {
        int checked = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (WhatIf row : result.whatIf()) {
                if (row.expected().isEmpty() || result.knee().isEmpty()) {
                    continue;
                }
                Round now = result.operatingPoint().map(OperatingPoint::round).orElseThrow();
                Expected e = row.expected().get();
                double alone = row.aloneMs(result.knee().get(), result.recording().load(now));
                String of = kept.getKey() + " " + row.change().says();
                assertThat(e.qps() * alone / 1000)
                        .as(of)
                        .isLessThanOrEqualTo(e.atConcurrency() + 0.5);
                assertThat(e.qps())
                        .as(of)
                        .isLessThanOrEqualTo(Math.max(now.qps(), row.qps()) * (1 + 1e-9));
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(50);
    }

    /// Little's law (F2) before and after a change: requests in flight are throughput times
    /// response time. Failed requests are part of the load, but not of its throughput and mean
    /// response time.
    @Test
    void expectedFiguresObeyLittlesLaw() throws IOException {
        int checked = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (Recommendation r : result.recommendations()) {
                if (r.expected().isPresent()) {
                    Expected e = r.expected().get();
                    Round now = result.operatingPoint().map(OperatingPoint::round).orElseThrow();
                    double served = now.qps() * now.rtMs().mean() / 1000;
                    double inFlight = e.qps() * e.rtMs() / 1000;
                    String of = kept.getKey() + " " + r.id();
                    // the client counts requests in flight with an error of a few per cent
                    double load =
                            inFlight > served * (1 + 1e-9)
                                    ? Math.max(now.concurrency(), inFlight)
                                    : now.concurrency() * inFlight / served;
                    assertThat((double) e.atConcurrency())
                            .as(of)
                            .isCloseTo(load, Offset.offset(0.5 + 1e-6));
                    assertThat(e.ci95().orElseThrow().contains(e.qps())).as(of).isTrue();
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(50);
    }

    /// A single request waits for no free place in a pool and computes on one core. So neither more
    /// places nor more cores shorten it, and N requests have at most N times its throughput.
    @Test
    void morePoolCapacityAndCoresDoNotShortenSingleRequest() throws IOException {
        Set<ChangeName> places =
                Set.of(
                        KnownChange.THREADS,
                        KnownChange.POOL_DOUBLE,
                        KnownChange.LOOPS_MORE,
                        KnownChange.DOWNSTREAM_DOUBLE);
        int checked = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (Recommendation r : result.recommendations()) {
                boolean cores = r.change().name() == KnownChange.QUOTA_RAISE;
                if (r.expected().isEmpty() || !(cores || places.contains(r.change().name()))) {
                    continue;
                }
                Round now = result.operatingPoint().map(OperatingPoint::round).orElseThrow();
                MeasuredLoad load = result.recording().load(now);
                double min =
                        cores
                                ? Math.min(
                                        load.aloneMs(),
                                        now.cpu().orElseThrow().processCores() / now.qps() * 1000)
                                : load.aloneMs();
                Expected e = r.expected().get();
                assertThat(e.qps() * Math.min(min, load.rtMs()) / 1000)
                        .as(kept.getKey() + " " + r.id())
                        .isLessThanOrEqualTo(
                                Math.max(e.atConcurrency(), now.qps() * load.rtMs() / 1000) + 0.5);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(20);
    }

    /// Rows of one page at one load.
    @Test
    void sameChangeHasSameResult() throws IOException {
        int same = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            for (WhatIf row : result.whatIf()) {
                for (Recommendation r : result.recommendations()) {
                    if (Auditor.isSameChange(r, row) && r.expected().isPresent()) {
                        Expected model = row.expected().orElseThrow();
                        assertThat(r.expected().get().qps())
                                .as(kept.getKey() + " " + row.change().says())
                                .isCloseTo(model.qps(), Offset.offset(1e-3 * model.qps()));
                        assertThat(r.expected().get().atConcurrency())
                                .isEqualTo(model.atConcurrency());
                        same++;
                    }
                }
            }
        }
        assertThat(same).isGreaterThan(10);
    }

    /// The throughput that CPU alone allows is an upper bound of every predicted change that saves
    /// no CPU time.
    @Test
    void removedWaitGainsAtMostCpuBound() throws IOException {
        int bounded = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            Optional<Double> cpuAlone =
                    result.knee()
                            .flatMap(Knee::predicted)
                            .filter(p -> !p.ofTheLimit())
                            .map(Knee.Predicted::qps);
            double now =
                    result.operatingPoint().map(OperatingPoint::round).map(Round::qps).orElse(0.0);
            for (Recommendation r : result.recommendations()) {
                if (cpuAlone.filter(max -> max > now).isPresent()
                        && WAITS.contains(result.verdict().bottleneck())
                        && (result.verdict().bottleneck() != Bottleneck.LOGGING
                                || r.id().equals("logging-reader"))
                        && r.atMost()
                        && r.expected().isPresent()) {
                    assertThat(r.expected().get().qps())
                            .as(kept.getKey() + " " + r.id())
                            .isLessThanOrEqualTo(cpuAlone.get() * (1 + 1e-9));
                    bounded++;
                }
            }
        }
        assertThat(bounded).isGreaterThan(8);
    }

    /// The cores available to the target have one definition. The rules, the P of the CPU in the
    /// model and all output forms must show the same value.
    @Test
    void allFormsHaveTheSameCores() throws IOException {
        int usedUp = 0;
        for (Map.Entry<String, Recording> kept : Corpus.all().entrySet()) {
            RunResult result = Corpus.judged(kept.getKey(), kept.getValue());
            Optional<Demand> cpu =
                    result.demands().stream().filter(d -> d.resource().equals("cpu")).findFirst();
            List<Round> closed =
                    result.rounds().stream()
                            .filter(r -> r.ratePerS().isEmpty() && r.qps() > 0)
                            .toList();
            Optional<CpuUse> fullest =
                    Saturation.of(closed).flatMap(Saturation::fullest).flatMap(Round::cpu);
            if (cpu.isEmpty() || fullest.isEmpty()) {
                continue;
            }
            double cores = cpu.get().units();
            result.knee()
                    .flatMap(Knee::predicted)
                    .ifPresent(p ->
                            assertThat(p.qps() * cpu.get().ms() / 1000)
                                    .as(kept.getKey() + " F2")
                                    .isCloseTo(cores, Offset.offset(1e-9 * cores)));
            assertThat(cores).isLessThanOrEqualTo(fullest.get().availableCores() * 1.1);
            if (fullest.get().utilisation() >= Saturation.CPU_SATURATED) {
                assertThat(cores)
                        .as(kept.getKey())
                        .isCloseTo(fullest.get().coresForTarget(), Offset.offset(1e-9));
                usedUp++;
            }
            JsonNode json = JsonMapper.shared().readTree(ResultJson.toString(result));
            assertThat(json.at("/demands/0/units").asDouble())
                    .isCloseTo(cores, Offset.offset(1e-9));
            assertThat(HtmlReport.render(result, List.of()))
                    .as(kept.getKey())
                    .contains(">" + Figures.number(cores) + "</td>");
        }
        assertThat(usedUp).isGreaterThan(20);
    }
}
