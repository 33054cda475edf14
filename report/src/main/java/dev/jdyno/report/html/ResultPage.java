package dev.jdyno.report.html;

import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.report.words.Assumed;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.EndpointText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.GainText;
import dev.jdyno.report.words.GainText.Shown;
import dev.jdyno.report.words.Glossary;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.LayerText;
import dev.jdyno.report.words.LoadText;
import dev.jdyno.report.words.OverheadText;
import dev.jdyno.report.words.Remarks;
import dev.jdyno.report.words.RequestStall;
import dev.jdyno.report.words.ServiceName;
import dev.jdyno.report.words.SettingText;
import dev.jdyno.report.words.SourceText;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The data of the templates of `report.html`: the result, and its parts in the order and form of
/// the page.
///
/// @param folder of the result, relative to the folder in which the run was started; empty if it is
///   unknown
public record ResultPage(RunResult result, List<EvidenceFile> files, Optional<Path> folder) {
    private static final Calibration CALIBRATION = Calibration.builtIn();

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    public ResultPage {
        files = List.copyOf(files);
    }

    /// Creates the page of a result without a known folder.
    public ResultPage(RunResult result, List<EvidenceFile> files) {
        this(result, files, Optional.empty());
    }

    public String title() {
        return result.verdict().bottleneck().key() + " · " + service() + " · jdyno";
    }

    /// The loaded service: host and port, and the path of its URL if there is one.
    public String service() {
        return ServiceName.of(result.jdyno());
    }

    public String startedAt() {
        return MINUTE.format(result.jdyno().startedAt());
    }

    /// All warnings. Warnings that make the figures useless come first, then those that may change
    /// the decision.
    public List<Validity.Warning> warnings() {
        return Remarks.of(result.validity()).all();
    }

    /// A stall of requests; empty if the run had none.
    public Optional<RequestStall> freeze() {
        return RequestStall.of(result);
    }

    /// The observations of the operating point, for example samples, allocations and exceptions.
    public Insight insight() {
        return Highlights.insight(result);
    }

    /// The evidence for the verdict.
    public List<EvidenceRow> evidence() {
        return result.verdict().evidence().stream().map(EvidenceRow::of).toList();
    }

    /// The pools of the diagnostic window. Empty if nothing is known of their queues.
    public Optional<PoolsPage> pools() {
        return window().filter(c -> !c.queues().isEmpty()).map(c -> PoolsPage.of(result, c));
    }

    /// The observer overhead of each diagnostic window, one sentence per window.
    public List<String> observerOverhead() {
        return ObserverOverhead.of(result.census()).stream().map(OverheadText::of).toList();
    }

    /// The name of a layer that limits the number of concurrent requests.
    public String name(Layer layer) {
        return LayerText.name(layer);
    }

    public List<Layer> layers() {
        return result.layers();
    }

    /// The diagnostic window at the operating point.
    public Optional<ThreadSamples> window() {
        return Highlights.window(result);
    }

    public Chart throughput() {
        return ResultCharts.throughput(result);
    }

    public Chart responseTime() {
        return ResultCharts.responseTime(result);
    }

    /// The curves of models in both charts over the load.
    public List<Chart.Series> models() {
        return ResultCharts.models(result);
    }

    /// The CSS class for the colour of a series.
    public String colourClass(Chart.Series s) {
        return "k-" + s.colour().substring(2);
    }

    /// The chart of misses over the rate; empty if the run did not search under goals.
    public Optional<Chart> misses() {
        return result.goal().filter(g -> !g.tests().isEmpty()).map(ResultCharts::misses);
    }

    /// A share in percent. A small share has more digits.
    public String share(double v) {
        return figure(100 * v) + " %";
    }

    public boolean predicted() {
        return ResultCharts.predicted(result).isPresent();
    }

    public boolean open() {
        return ResultCharts.isOpen(result);
    }

    public BreakdownPage timeSpent() {
        return new BreakdownPage(result);
    }

    /// The rounds by load, in the order of the charts. Rounds that other processes disturbed are
    /// included.
    public List<Round> rounds() {
        return Stream.concat(result.rounds().stream(), result.recording().leftOut().stream())
                .sorted(Highlights.BY_LOAD)
                .toList();
    }

    /// True if other processes disturbed a round.
    public boolean disturbed() {
        return rounds().stream().anyMatch(r -> r.disturbance().isPresent());
    }

    /// True if the round is ignored because other processes disturbed it.
    public boolean leftOut(Round r) {
        return r.disturbance().filter(d -> !d.kept()).isPresent();
    }

    /// The cause of a round's disturbance, and whether the round counts.
    public String disturbance(Round r) {
        return r.disturbance()
                .map(d ->
                        DisturbanceText.says(d)
                                + (d.kept()
                                        ? "; it counts for want of a better one"
                                        : "; it does not count"))
                .orElse("");
    }

    /// True if the table marks this round, because its concurrency lies in the knee's interval.
    public boolean atKnee(Round r) {
        return result.knee().isPresent() && result.knee().get().ci95().contains(r.concurrency());
    }

    /// The lowest and the highest concurrency of the flame graphs. The growth of a method's CPU
    /// time is measured between them.
    public IntSummaryStatistics grownBetween() {
        return result.insight().profiles().stream()
                .mapToInt(Profile::concurrency)
                .summaryStatistics();
    }

    /// The round of the operating point. Recommendations and what-ifs apply to its load.
    public Optional<Round> reported() {
        return result.operatingPoint().map(OperatingPoint::round);
    }

    /// A sentence on the parts of the latency that the rounds include and leave out.
    public String latencyNote() {
        long open = result.rounds().stream().filter(r -> r.ratePerS().isPresent()).count();
        String closed =
                "a stop of the service delays the next requests, which are not sent meanwhile:"
                        + " percentiles under-count stops.";
        return open == result.rounds().size()
                ? "Latency counts from the intended start."
                : open == 0
                        ? "Closed loop: " + closed
                        : "Latency of rounds at a rate counts from the intended start. In the others, closed loops, "
                                + closed;
    }

    /// The load in sentences; empty if jdyno did not send it.
    public String loadSays() {
        return LoadText.text(result);
    }

    /// The data of the first screen.
    public AnswerPage answer() {
        return new AnswerPage(result, folder);
    }

    /// The knee, and the demand of a request on each resource.
    public CapacityPage capacity() {
        return new CapacityPage(result);
    }

    /// The load over the run's time.
    public LoadPage load() {
        return new LoadPage(result);
    }

    /// The arrival times of the parts of replies, by round.
    public RepliesPage replies() {
        return new RepliesPage(rounds(), result.recording().load().flatMap(LoadFacts::traceUrl));
    }

    /// Heap and pauses from the GC log.
    public GcLogPage gcLog() {
        return new GcLogPage(result);
    }

    /// The number of pauses in the GC log by their length.
    public PauseBinsPage pauseBins() {
        return new PauseBinsPage(result.gcLog().map(GcLogFigures::pauseBins).orElse(List.of()));
    }

    /// The service's own metrics at the operating point.
    public Optional<ServiceFigures> ownMetrics() {
        return Highlights.service(result)
                .filter(f -> !f.endpoints().isEmpty() || !f.pools().isEmpty());
    }

    /// The sentence on the endpoint that limits.
    public Optional<String> limiting(ServiceFigures figures) {
        return EndpointText.limiting(figures);
    }

    /// The flame graphs.
    public FlamePage flames() {
        return new FlamePage(result.insight());
    }

    public String figure(double v) {
        return Figures.number(v).replace("unlimited", "∞");
    }

    /// Share of right answers among those with a confidence like that of the verdict.
    public String reliability() {
        return CALIBRATION.says(result.verdict().confidence());
    }

    /// Bytes that a request allocates at a place.
    public double allocated(Insight.Allocation a) {
        return a.bytes(result.rounds());
    }

    /// True if the collector's counters give the bytes of a request at the load of the samples.
    public boolean isCounted(Insight.Allocation a) {
        return a.counted(result.rounds()).isPresent();
    }

    /// Formats a figure with a fixed number of decimals, for aligned columns.
    public String fixed(double v, int decimals) {
        return Double.isFinite(v)
                ? String.format(Locale.ROOT, "%." + decimals + "f", v)
                : figure(v);
    }

    public String figure(Optional<Double> v) {
        return v.map(this::figure).orElse("–");
    }

    /// Seconds since the start of a window, with one decimal.
    public String seconds(double v) {
        return String.format(Locale.ROOT, "%.1f", v);
    }

    public String bytes(Optional<Double> v) {
        return v.map(Figures::bytes).orElse("–");
    }

    public String bytes(double v) {
        return Figures.bytes(v);
    }

    public String range(Interval i) {
        return Figures.range(i).replace(" to ", "–");
    }

    /// The difference of a prediction from a measured figure, such as `+94 %`. Empty if there is no
    /// measured figure.
    public String change(double predicted, double measured) {
        double ratio = predicted / measured;
        return Double.isFinite(ratio) ? Figures.percentChange(ratio).replace("-", "−") : "";
    }

    /// The collections of one kind per second.
    public String perSecond(GcActivity.Count c, Round r) {
        return r.seconds() <= 0 ? "–" : Figures.number(c.count() / r.seconds());
    }

    public String ratio(double v) {
        return Figures.ratio(v).replace('x', '×');
    }

    /// The figures of a recommendation's predicted gain. The terminal shows the same end of the
    /// predicted range.
    public Optional<Shown> shown(Recommendation r) {
        return recommendedAt().flatMap(now -> GainText.shown(r, now));
    }

    /// Throughput after a recommendation ÷ present throughput, to two digits as on the terminal. It
    /// is computed from the shown figure, or is the predicted ratio if no figure is shown.
    public Optional<String> predictedQps(Recommendation r) {
        return r.isAboutResponseTime()
                ? Optional.empty()
                : predicted(shown(r).map(Shown::qps), Round::qps, r.predictedQpsRatio());
    }

    /// The predicted mean response time of a recommendation.
    public Optional<String> predictedRt(Recommendation r) {
        return predicted(
                shown(r).filter(_ -> !r.isAboutResponseTime()).map(Shown::rtMs),
                n -> n.rtMs().mean(),
                r.predictedRtRatio());
    }

    private Optional<String> predicted(
            Optional<Double> figure, ToDoubleFunction<Round> of, Optional<Double> ratio) {
        return figure.flatMap(f ->
                        recommendedAt()
                                .map(of::applyAsDouble)
                                .filter(now -> now > 0)
                                .map(now -> f / now))
                .or(() -> ratio)
                .map(v -> Figures.number(Figures.twoDigits(v)) + "×");
    }

    /// A part of a text.
    ///
    /// @param code whether the part was between backticks
    /// @param means meaning of the text if it is the id of a formula or an experiment
    public record Piece(String text, boolean code, String means) {}

    /// A sentence with file and line after each method that it names.
    public String located(Sentence sentence) {
        return SourceText.of(result.recording()).beside(sentence);
    }

    /// The text of a place with its source location.
    public String place(String where) {
        return located(PlaceText.named(where));
    }

    /// The name of a method with its source location.
    public String method(String name) {
        return located(Sentence.name(name));
    }

    /// Splits a text into commands and flags (between backticks), ids of formulas, and other text.
    public List<Piece> pieces(String text) {
        String[] parts = text.split("`", -1);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            if (i % 2 == 1) {
                pieces.add(new Piece(parts[i], true, ""));
            } else {
                Glossary.parts(parts[i])
                        .forEach(p -> pieces.add(new Piece(p.text(), false, p.means())));
            }
        }
        return pieces;
    }

    /// The setting that a recommendation changes, with its present value and the new one.
    public Optional<String> edit(Recommendation recommendation) {
        return SettingText.edit(recommendation, result.target()).map(AnswerPage::arrows);
    }

    /// The commands that try a recommendation and measure its gain.
    public Commands commands(Recommendation recommendation) {
        return Commands.of(recommendation, result, folder);
    }

    /// The assumption behind a recommendation's gain; empty if nothing is assumed.
    public Optional<Assumed> assumed(Recommendation recommendation) {
        return Assumed.of(recommendation, reported());
    }

    /// True if the gain is only the assumed factor. It is then not shown as a figure.
    public boolean repeatsTheAssumed(Recommendation recommendation) {
        return assumed(recommendation).filter(Assumed::repeats).isPresent();
    }

    /// The reason why the report is about this load.
    public String whyThisLoad() {
        return Highlights.whyThisLoad(result);
    }

    /// The reported load if recommendations have figures; empty if only ratios are known.
    public Optional<Round> recommendedAt() {
        return reported()
                .filter(_ ->
                        result.recommendations().stream().anyMatch(p -> p.expected().isPresent()));
    }

    /// The first recommended change that `jdyno whatif` accepts, such as `cpu*0.5`; empty if there
    /// is none.
    public Optional<String> changeForWhatIf() {
        return result.recommendations().stream()
                .flatMap(r -> r.forWhatIf().stream())
                .map(c -> c.text(List.of()))
                .findFirst();
    }

    /// A quantile of a round's response time; a dash if the round has too few requests for it.
    public String quantile(Round r, double q, double value) {
        return Figures.carries(r.requests(), q) ? Figures.number(value) : "–";
    }

    /// Mean size of a reply, including its headers.
    public String replySize(Round r) {
        return r.replySize().map(Bytes::toString).orElse("–");
    }

    /// Errors by kind, most frequent first: `connect 3, status 500 1`.
    public String errorKinds(Round r) {
        return r.errorKinds().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    /// An explanation of the part of the breakdown with this key, in plain words.
    public String means(String key) {
        return Highlights.means(key);
    }

    /// A cause in words.
    public String name(Cause cause) {
        return Highlights.name(cause);
    }

    /// A share in percent: `92 %`.
    public String percent(double share) {
        return Figures.percent(share);
    }
}
