package dev.jdyno.tune;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Comparison;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.StartNoise;
import dev.jdyno.compare.Variant;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.RequestError;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.trial.Service;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.TrialListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/// Compares two sets of changes of one service.
final class Race {
    /// The kinds of comparisons. They differ in the number of starts.
    enum Kind {
        /// One start of each variant, to choose what is worth more starts.
        LOOK(1, 1, 1),
        /// Several starts, until the comparison is decided.
        PROVE(3, 2, 5),
        /// A repetition with the remaining budget, if the previous comparison was not decided.
        INSIST(4, 4, 12),
        /// The confirmation of the final result.
        CONFIRM(5, 3, 6);

        private final int least;
        private final int minStartsOfKnownNoise;
        private final int most;

        /// @param minStartsOfKnownNoise minimum number of starts if other comparisons give the
        ///   noise
        Kind(int least, int minStartsOfKnownNoise, int most) {
            this.least = least;
            this.minStartsOfKnownNoise = minStartsOfKnownNoise;
            this.most = most;
        }

        int least(StartNoise noise) {
            return noise.isKnown() ? minStartsOfKnownNoise : least;
        }

        int most() {
            return most;
        }
    }

    /// Reports the progress of one comparison to the watch.
    private record Heard(Kind kind, int least, Step about, Watch watch)
            implements Comparison.Watch {
        @Override
        public void begins(int start) {
            watch.starts(about, start, least, kind.most);
        }

        @Override
        public void look(Compared soFar, double secondsEach, int most) {
            watch.soFar(about, Measured.of(soFar));
        }
    }

    /// The way in which a comparison ended.
    enum Ended {
        MEASURED,
        /// Variant B did not start.
        DID_NOT_START,
        /// Variant B started, and then failed.
        FAILED,
        /// Variant B gives answers that fail the plan's checks.
        WRONG_ANSWERS
    }

    /// The reasons why the figures of a variant may be wrong.
    enum Doubt {
        /// A variant was still getting faster or slower at the end of its warm-up.
        NOT_STEADY,
        /// The old generation of a variant grew during the blocks of a start.
        HEAP_FILLS
    }

    /// @param why reason why there are no figures, or why they are not used; empty if they are used
    /// @param noise the variation between the starts of this comparison
    /// @param noiseOf the figure that varied
    record Raced(
            Ended ended,
            Optional<Measured> measured,
            String why,
            Set<Doubt> doubts,
            StartNoise noise,
            Metric noiseOf) {
        Raced {
            Objects.requireNonNull(ended);
            Objects.requireNonNull(measured);
            Objects.requireNonNull(why);
            doubts = Set.copyOf(doubts);
            Objects.requireNonNull(noise);
            Objects.requireNonNull(noiseOf);
        }

        Raced(Ended ended, Optional<Measured> measured, String why) {
            this(ended, measured, why, Set.of(), StartNoise.NONE, Metric.QPS);
        }
    }

    /// Longest warm-up of a look. Both variants are then equally warm, though perhaps not fully.
    /// That suffices, because a look only sorts candidates.
    static final Duration LOOK_WARM_UP = Duration.ofSeconds(30);

    /// Number of pairs of blocks in the one start of a look.
    static final int LOOK_PAIRS = 3;

    /// Multiple of the present service's start time that a candidate may take to start. Without it,
    /// a candidate that gives no good answer would take the plan's whole start limit. It starts
    /// while the incumbent runs, and touching memory for the first time takes long.
    private static final double START_FACTOR = 4;

    private static final double MIN_START_SECONDS = 15;

    private static final int LONGEST_REASON = 300;

    private static final String WRONGLY = "answers wrongly: ";

    private final Applied applied;
    private final TuneSettings settings;
    private final Service service;
    private final Session session;
    private Optional<Path> java = Optional.empty();
    private Optional<Duration> startLimit = Optional.empty();
    private final Map<Metric, StartNoise> noises = new EnumMap<>(Metric.class);
    private Metric deciding;
    private int races;

    Race(Applied applied, TuneSettings settings, Service service, Session session) {
        this.applied = applied;
        this.settings = settings;
        this.service = service;
        this.session = session;
        this.deciding = settings.improved();
    }

    /// Sets the figure that decides the next comparisons.
    void decideBy(Metric metric) {
        deciding = metric;
    }

    /// Sets the command that runs the service's JVM, which checks flags before a service is
    /// started.
    void java(Optional<Path> found) {
        java = found;
    }

    /// Sets how long the present service takes to start.
    void startSeconds(double seconds) {
        startLimit =
                Optional.of(
                        Duration.ofSeconds(
                                (long) Math.max(MIN_START_SECONDS, START_FACTOR * seconds)));
    }

    /// Adds the noise between starts of a comparison, also from an earlier run of the tuning.
    void learn(Raced raced) {
        noises.merge(raced.noiseOf(), raced.noise(), StartNoise::plus);
    }

    /// @param concurrency requests in flight in the saturated blocks
    /// @param most time limit, which applies after the minimum number of starts
    /// @param watch receives the progress
    /// @return empty if it was stopped before its end
    /// @throws UserError if variant A does not start or fails
    Optional<Raced> run(
            List<Change.Launch> a,
            List<Change.Launch> b,
            Kind kind,
            int concurrency,
            Duration most,
            Step about,
            Watch watch)
            throws InterruptedException {
        Optional<String> refused = refused(b);
        if (refused.isPresent()) {
            return Optional.of(new Raced(Ended.DID_NOT_START, Optional.empty(), refused.get()));
        }
        Session own = nextSession();
        var comparison =
                new Comparison(
                                applied.variant(a),
                                candidate(b),
                                settings(kind, concurrency, most),
                                service,
                                own,
                                new SplittableRandom(session.clock().nanos()))
                        .knowing(noise());
        Compared compared;
        try {
            if (kind == Kind.LOOK) {
                watch.begins(about);
                compared = comparison.screen(LOOK_PAIRS);
            } else {
                compared = comparison.run(new Heard(kind, kind.least(noise()), about, watch));
            }
        } catch (UserError failed) {
            if (!comparison.wasAtB() || session.isStopped()) {
                throw failed;
            }
            return Optional.of(failed(comparison.hasAnsweredB(), failed));
        }
        if (session.isStopped() || compared.starts() == 0) {
            return Optional.empty();
        }
        if (compared.partial() && !comparison.wasAtB()) {
            throw UserError.target(
                    "the service failed while it was compared",
                    compared.failure(),
                    "see what it printed, in " + own.folder());
        }
        return Optional.of(
                raced(
                        compared,
                        comparison.failuresOfB(),
                        doubts(comparison, kind),
                        kind == Kind.LOOK ? StartNoise.NONE : comparison.noise()));
    }

    /// The service with changes on trial. It gets less time to start than the plan allows.
    Variant candidate(List<Change.Launch> changes) {
        Variant variant = applied.variant(changes);
        return startLimit.map(variant::startedWithin).orElse(variant);
    }

    /// The variation between starts of this service, from all comparisons so far.
    StartNoise noise() {
        return noises.getOrDefault(deciding, StartNoise.NONE);
    }

    /// A folder for the next measurement, and a listener that shows only its progress.
    Session nextSession() {
        races++;
        return new Session(
                session.folder().resolve("race-" + races),
                new OneLine(session.listener()),
                session.clock(),
                session.stop());
    }

    /// @param answered whether the variant gave a good answer before it failed
    static Raced failed(boolean answered, UserError why) {
        if (why.kind() == UserError.Kind.ANSWER) {
            return new Raced(Ended.WRONG_ANSWERS, Optional.empty(), shortened(WRONGLY + why.why()));
        }
        return new Raced(
                answered ? Ended.FAILED : Ended.DID_NOT_START,
                Optional.empty(),
                shortened(why.what() + ": " + why.why()));
    }

    /// @param failures failed requests of variant B, by kind of error
    static Raced raced(
            Compared compared, Map<String, Long> failures, Set<Doubt> doubts, StartNoise noise) {
        Measured measured = Measured.of(compared);
        Ended ended = Ended.MEASURED;
        String why = "";
        if (compared.partial()) {
            ended = Ended.FAILED;
            why = shortened(compared.failure());
        } else if (measured.moreErrors()) {
            boolean wrong = failsMostly(failures);
            ended = wrong ? Ended.WRONG_ANSWERS : Ended.FAILED;
            why =
                    String.format(
                            Locale.ROOT,
                            "%s%.3g %% of its requests fail: %s",
                            wrong ? WRONGLY : "",
                            100 * compared.row(Metric.ERRORS).orElseThrow().b().orElse(0),
                            String.join(", ", failures.keySet()));
        }
        return new Raced(ended, Optional.of(measured), why, doubts, noise, compared.primary());
    }

    private static boolean failsMostly(Map<String, Long> failures) {
        return RequestError.mostFrequent(failures).filter(RequestError::isWrongAnswer).isPresent();
    }

    private static Set<Doubt> doubts(Comparison comparison, Kind kind) {
        Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
        // the short warm-up of a look is no doubt about it
        if (kind != Kind.LOOK && !comparison.unsteady().isEmpty()) {
            doubts.add(Doubt.NOT_STEADY);
        }
        if (!comparison.filling().isEmpty()) {
            doubts.add(Doubt.HEAP_FILLS);
        }
        return doubts;
    }

    Settings settings(Kind kind, int concurrency, Duration most) {
        return new Settings(
                deciding,
                settings.minEffect(),
                most,
                settings.block(),
                kind == Kind.LOOK ? settings.lookWarmUp() : settings.warmup(),
                OptionalInt.of(concurrency),
                OptionalDouble.empty(),
                settings.goal(),
                kind.least(noise()),
                OptionalInt.of(kind.most),
                settings.needsRate() ? Metric.Load.USUAL : Set.of(Metric.Load.SATURATED));
    }

    /// Returns why the JVM refuses the flags; empty if it accepts them or was not asked.
    Optional<String> refused(List<Change.Launch> changes) throws InterruptedException {
        List<String> flags =
                changes.stream()
                        .filter(Change.JvmFlag.class::isInstance)
                        .map(c -> ((Change.JvmFlag) c).argument())
                        .toList();
        if (java.isEmpty() || flags.isEmpty()) {
            return Optional.empty();
        }
        return service.refusal(java.get(), flags).map(Race::shortened);
    }

    /// Shows only the progress of the starts, because the tuning has already printed what is
    /// compared.
    private record OneLine(TrialListener listener) implements TrialListener {
        @Override
        public void phase(String says) {
            // the tuning has already printed what is tried
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            listener.progress(seconds, of, qps);
        }

        @Override
        public void round(Round round) {
            // a block is not a round of the knee search
        }

        @Override
        public void note(String says) {
            listener.note(says);
        }
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "…";
    }
}
