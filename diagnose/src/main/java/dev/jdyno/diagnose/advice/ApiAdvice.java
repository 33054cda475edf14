package dev.jdyno.diagnose.advice;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.advice.StackSearch.Sighting;
import dev.jdyno.diagnose.cpu.Exceptions;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Recommendations that name a place in the code and the code to write there instead. They are
/// selected by frames of the JDK and of libraries in the samples. The rules are in `advice.txt`,
/// which describes its own format. The recommendations are added to those of any verdict.
public final class ApiAdvice {
    private static final String FILE = "/dev/jdyno/diagnose/advice.txt";
    private static final List<Entry> BUILT_IN = read();

    /// Minimum cost of an allocation for it to be worth a change, as a share of the CPU including
    /// the collector's.
    private static final double ALLOCATION_COSTS = 0.05;

    /// Minimum number of exceptions per request at one place for them to be worth a change.
    private static final double THROWN_PER_REQUEST = 0.5;

    private static final Gain UNKNOWN = Gain.unknown("the limit after the change was not measured");

    private final Situation s;
    private final StackSearch stacks;

    /// @param says what to do, and what was found at which place
    /// @param change the place as a value, with its share of the CPU samples or of the threads in
    ///   use; without a place if that share is not known
    private record Found(Sentence says, Gain gain, Change change) {
        Found(Sentence says, Gain gain) {
            this(says, gain, new Change.Code());
        }
    }

    private ApiAdvice(Situation s) {
        this.s = s;
        this.stacks = new StackSearch(s.insight(), s.evidence());
    }

    /// Returns a recommendation for each id, from its first matching entry.
    public static List<Recommendation> of(Situation s) {
        var advice = new ApiAdvice(s);
        List<Recommendation> found = new ArrayList<>();
        Set<ChangeName> names = new HashSet<>();
        for (Entry entry : BUILT_IN) {
            advice.on(entry).filter(r -> names.add(r.change().name())).ifPresent(found::add);
        }
        return found;
    }

    /// True if the recommendation names an edit for a call that was found, and not a general kind
    /// of work.
    public static boolean isEdit(Recommendation r) {
        return BUILT_IN.stream().anyMatch(e -> e.name().equals(r.change().name()));
    }

    /// Returns all entries.
    static List<Entry> builtIn() {
        return BUILT_IN;
    }

    private Optional<Recommendation> on(Entry entry) {
        return entry.evidence().stream()
                .flatMap(seen -> found(entry, seen).stream())
                .findFirst()
                .map(found -> recommendation(entry, found));
    }

    private Recommendation recommendation(Entry entry, Found found) {
        var one = new RecommendationList();
        if (entry.edit().isEmpty()) {
            return one.byHand(
                            entry.name(),
                            found.says(),
                            entry.how(),
                            found.gain(),
                            List.of(found.change()))
                    .list()
                    .getFirst();
        }
        Entry.Edit edit = entry.edit().get();
        Optional<String> file =
                entry.part()
                        .flatMap(part ->
                                s.insight().logging().stream()
                                        .filter(c -> c.part() == part)
                                        .map(LoggingCost::file)
                                        .findFirst());
        return one.setting(
                        entry.name(),
                        file.map(f -> Sentence.of(f + ": ").and(found.says())).orElse(found.says()),
                        entry.how(),
                        found.gain(),
                        edit.change(file, entry.part().map(LogPart::key).orElse(entry.id())))
                .list()
                .getFirst();
    }

    /// @param seen patterns to search for: several stacks of one kind, or one pattern of another
    ///   kind
    private Optional<Found> found(Entry entry, List<Seen> seen) {
        return switch (seen.getFirst()) {
            case Seen.Stack stack ->
                    stacks.find(seen.stream().map(Seen.Stack.class::cast).toList(), entry.unless())
                            .map(sighting ->
                                    new Found(
                                            says(entry, stack, sighting),
                                            gain(entry, stack, sighting),
                                            sighting.at()
                                                    .<Change>map(
                                                            at -> s.codeAt(at, sighting.share()))
                                                    .orElseGet(Change.Code::new)));
            case Seen.Allocated allocated -> allocated(entry, allocated);
            case Seen.Thrown thrown -> thrown(entry, thrown);
        };
    }

    private static Sentence says(Entry entry, Seen.Stack stack, Sighting seen) {
        String does = entry.does();
        double percent = seen.share() * 100;
        Sentence below = Sentence.name(seen.below()).and(seen.others() ? " and calls like it" : "");
        if (stack.kind() == Profile.Kind.CPU) {
            return seen.at()
                    .map(at ->
                            Sentence.format(
                                    "%s: %s spends %.0f %% of the CPU in %s",
                                    does, Sentence.name(at), percent, below))
                    .orElseGet(() ->
                            Sentence.format(
                                    "%s: %.0f %% of the CPU is in %s", does, percent, below));
        }
        return Sentence.format(
                "%s: %.0f %% of the threads in use are in %s%s",
                does,
                percent,
                below,
                seen.at()
                        .map(at -> Sentence.of(", called by ").and(Sentence.name(at)))
                        .orElse(Sentence.of("")));
    }

    private Gain gain(Entry entry, Seen.Stack stack, Sighting seen) {
        double log = entry.within().stream().mapToDouble(w -> stacks.share(stack.kind(), w)).sum();
        if (s.verdict().bottleneck() == Bottleneck.LOGGING && log > 0) {
            return s.fewerLogLines(entry.saves() * Math.min(1, seen.share() / log));
        }
        if (stack.kind() == Profile.Kind.WALL) {
            return stack.waits() ? lessWaiting(entry.saves() * seen.share()) : UNKNOWN;
        }
        return LessCpu.gain(
                s,
                entry.saves() * seen.share(),
                say(
                        "%s%.0f %% of the CPU samples go",
                        entry.saves() < 1 ? "half of the " : "", seen.share() * 100));
    }

    /// Returns the gain of shorter waits. If a call starts threads and waits for them, its removal
    /// also removes these threads and their CPU use.
    private Gain lessWaiting(double share) {
        return s.verdict().bottleneck() == Bottleneck.THREAD_CHURN
                ? Gain.without(share, say("%.0f %% of the threads in use are in it", share * 100))
                : s.heldLess(share);
    }

    /// Returns the place that allocates most objects of the pattern. Its cost is its part of the
    /// collector's cost and the CPU of the place itself, which clears and fills the objects.
    private Optional<Found> allocated(Entry entry, Seen.Allocated pattern) {
        Optional<Insight.Allocation> max =
                s.insight().allocations().stream()
                        .filter(a ->
                                a.type().startsWith(pattern.type())
                                        && a.share() >= pattern.share()
                                        && bytes(a) >= pattern.perRequest().value()
                                        && (!pattern.forReply() || s.mayBeReply(bytes(a))))
                        .max(Comparator.comparingDouble(Insight.Allocation::share));
        return max.flatMap(a -> {
            double cost = a.share() * s.evidence().gcCost() + stacks.shareOfCpuAt(a.site());
            Sentence says =
                    Sentence.format(
                            "%s: %s allocates %s of %s a request, %.0f %% of all",
                            entry.does(),
                            Sentence.name(a.site()),
                            new Bytes(Math.round(bytes(a))),
                            a.type(),
                            a.share() * 100);
            if (!stacks.has(Profile.Kind.CPU)) {
                return Optional.of(
                        new Found(says, Gain.unknown("what making it takes was not sampled")));
            }
            return cost < ALLOCATION_COSTS
                    ? Optional.empty()
                    : Optional.of(
                            new Found(
                                    says,
                                    LessCpu.gain(
                                            s,
                                            entry.saves() * cost,
                                            say(
                                                    "%sthe collector's part for it and the CPU of"
                                                            + " that method, together %.0f %%, go",
                                                    entry.saves() < 1 ? "half of " : "",
                                                    cost * 100))));
        });
    }

    private double bytes(Insight.Allocation a) {
        return a.bytes(s.evidence().rounds());
    }

    private Optional<Found> thrown(Entry entry, Seen.Thrown pattern) {
        return s.insight().exceptionsAtHighestLoad().stream()
                .filter(t ->
                        t.type().startsWith(pattern.type())
                                && t.share() >= pattern.share()
                                && t.perRequest() >= THROWN_PER_REQUEST)
                .findFirst()
                .map(t -> {
                    double cost = t.share() * Exceptions.shareOfCpu(s.evidence());
                    return new Found(
                            Sentence.format(
                                    "%s: a request makes %.2g %s, in %s",
                                    entry.does(),
                                    t.perRequest(),
                                    Sentence.name(t.type()),
                                    PlaceText.named(t.site())),
                            cost <= 0
                                    ? Gain.unknown("what making them takes was not sampled")
                                    : LessCpu.gain(
                                            s,
                                            cost,
                                            say(
                                                    "making them takes %.0f %% of the CPU",
                                                    cost * 100)));
                });
    }

    private static List<Entry> read() {
        try (InputStream in =
                Objects.requireNonNull(ApiAdvice.class.getResourceAsStream(FILE), FILE)) {
            return Entry.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
