package dev.jdyno.warm;

import dev.jdyno.compare.Note;
import dev.jdyno.compare.Variant;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.JdkRelease;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.trial.ColdStart.Curve;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// Starts a service repeatedly, unchanged and in each way that may shorten its warm-up. It works in
/// rounds: each round has one start of every variant, in random order.
public final class WarmStudy {
    private final Plan plan;
    private final WarmSettings settings;
    private final Path folder;
    private final TrialListener listener;
    private final NanoClock clock;
    private final BooleanSupplier stop;
    private final Random random;
    private final Starting start;
    private final List<Curve> asIs = new ArrayList<>();
    private final Map<Way, List<Curve>> curves = new EnumMap<>(Way.class);
    private final Map<Way, Variant> variants = new EnumMap<>(Way.class);
    private final Map<Way, String> notTried = new EnumMap<>(Way.class);
    private final List<Note> notes = new ArrayList<>();

    /// @param folder folder for archives and the output of launched services
    /// @param stop asked at least four times a second; if true, the study ends with the results so
    ///   far
    public WarmStudy(
            Plan plan,
            WarmSettings settings,
            Path folder,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Random random) {
        this(
                plan,
                settings,
                folder,
                listener,
                clock,
                stop,
                random,
                Starting.of(new ColdStart(listener, clock, stop)));
    }

    WarmStudy(
            Plan plan,
            WarmSettings settings,
            Path folder,
            TrialListener listener,
            NanoClock clock,
            BooleanSupplier stop,
            Random random,
            Starting start) {
        this.plan = plan;
        this.settings = settings;
        this.folder = folder;
        this.listener = listener;
        this.clock = clock;
        this.stop = stop;
        this.random = random;
        this.start = start;
    }

    /// @throws UserError if the unchanged service does not start, or gives no good answer
    public Optional<Warmed> run() throws InterruptedException {
        long began = clock.nanos();
        listener.phase("start 1 of the baseline");
        Optional<Curve> first = curve(new Variant(plan, List.of()), Optional.empty(), 1);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        asIs.add(first.get());
        // a round includes a start of the baseline; in the first round it comes before the archives
        // are written
        double baseline = clock.secondsSince(began);
        prepare(first.get());
        double each = 0;
        boolean cut = stop.getAsBoolean();
        for (int round = 1; round <= settings.starts() && !cut; round++) {
            long roundBegan = clock.nanos();
            double left = Durations.seconds(settings.budget()) - clock.secondsSince(began);
            if (round > 1 && each > left) {
                notes.add(new Note.StartsCut(round - 1, settings.starts(), settings.budget()));
                break;
            }
            cut = !round(round);
            each = clock.secondsSince(roundBegan) + (round == 1 ? baseline : 0);
        }
        return Optional.of(warmed(clock.secondsSince(began), cut));
    }

    /// Starts every variant once; in the first round, the unchanged service has already been
    /// started.
    ///
    /// @return false if it was stopped
    private boolean round(int round) throws InterruptedException {
        List<Optional<Way>> order = new ArrayList<>();
        variants.keySet().forEach(w -> order.add(Optional.of(w)));
        if (round > 1) {
            order.add(Optional.empty());
        }
        Collections.shuffle(order, random);
        for (Optional<Way> way : order) {
            if (stop.getAsBoolean()) {
                return false;
            }
            String name = way.map(Way::key).orElse("the baseline");
            listener.phase("start " + round + " of " + settings.starts() + ": " + name);
            Variant variant =
                    way.map(w -> variants.getOrDefault(w, new Variant(plan, List.of())))
                            .orElse(new Variant(plan, List.of()));
            try {
                Optional<Curve> seen = curve(variant, way, round);
                if (seen.isEmpty()) {
                    return false;
                }
                way.map(w -> curves.computeIfAbsent(w, _ -> new ArrayList<>()))
                        .orElse(asIs)
                        .add(seen.get());
            } catch (UserError failed) {
                if (way.isEmpty()) {
                    notes.add(new Note.Failed(failed));
                    return false;
                }
                variants.remove(way.get());
                curves.remove(way.get());
                notTried.put(way.get(), failed.what() + ": " + failed.why());
            }
        }
        return !stop.getAsBoolean();
    }

    /// @return empty if it was stopped
    private Optional<Curve> curve(Variant variant, Optional<Way> way, int round)
            throws InterruptedException {
        boolean first = way.isEmpty() && asIs.isEmpty();
        Path own = ownFolder(round + "-" + way.map(Way::key).orElse("baseline"));
        Optional<Curve> seen = start.measure(variant.started(), traffic(way), first, own);
        seen.flatMap(Curve::facts).ifPresent(variant::requireFlags);
        seen.ifPresent(c -> requireAnswers(c, own));
        return seen;
    }

    /// Returns the folder for the output of one start, which no later start overwrites.
    private Path ownFolder(String name) {
        Path own = folder.resolve("starts").resolve(name);
        try {
            return PrivateFolder.open(own);
        } catch (IOException noFolder) {
            throw UserError.usage(
                            "cannot make the folder " + own,
                            String.valueOf(noFolder.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(noFolder);
        }
    }

    /// Fails if the last seconds have no successful response, because full speed is then unknown.
    private static void requireAnswers(Curve curve, Path own) {
        if (StartFigures.last(curve) > 0) {
            return;
        }
        throw new UserError(
                UserError.Kind.ANSWER,
                "the service gives no good answer under load",
                String.format(
                        Locale.ROOT,
                        "in the last %d s of it no request had one, and %,d failed",
                        StartFigures.LAST,
                        StartFigures.lastErrors(curve)),
                "see what it printed in "
                        + own.resolve("target.log")
                        + "; a lower --concurrency, or a longer limits.request in the plan, may help");
    }

    private ColdStart.Traffic traffic(Optional<Way> way) {
        boolean calls = way.filter(w -> w == Way.CALLS).isPresent();
        boolean few = way.filter(w -> w == Way.FEW).isPresent();
        return new ColdStart.Traffic(
                settings.inFlight(),
                Durations.seconds(settings.length()),
                calls ? WarmSettings.CALLS_SECONDS : 0,
                few ? WarmSettings.FEW_SECONDS : 0,
                Math.max(1, settings.inFlight() / 10),
                settings.limitMs());
    }

    private void prepare(Curve first) throws InterruptedException {
        int jdk = first.facts().flatMap(f -> f.jdkVersion()).flatMap(JdkRelease::of).orElse(0);
        for (Way way : settings.ways()) {
            if (stop.getAsBoolean()) {
                return;
            }
            switch (way) {
                case AOT -> archive(way, jdk, Archive.AOT);
                case CDS -> archive(way, jdk, Archive.CDS);
                case C1 -> variants.put(way, new Variant(plan, List.of("-XX:TieredStopAtLevel=1")));
                case CALLS, FEW -> variants.put(way, new Variant(plan, List.of()));
            }
        }
    }

    private void archive(Way way, int jdk, Archive archive) throws InterruptedException {
        if (jdk < archive.sinceJdk()) {
            notTried.put(
                    way,
                    "it needs JDK "
                            + archive.sinceJdk()
                            + (jdk > 0 ? ", the service runs on " + jdk : ""));
            return;
        }
        listener.phase("a run of the service that writes its archive (" + way.key() + ")");
        try {
            Path file =
                    PrivateFolder.open(folder.resolve("archives"))
                            .resolve(archive.file())
                            .toAbsolutePath();
            // an archive of an earlier study must not be used for this one
            Files.deleteIfExists(file);
            Path own = ownFolder("training-" + way.key());
            start.train(
                    new Variant(plan, List.of(archive.writes() + file)).started(),
                    settings.inFlight(),
                    WarmSettings.TRAINING_SECONDS,
                    own);
            if (stop.getAsBoolean()) {
                return;
            }
            if (!Files.exists(file) || Files.size(file) == 0) {
                notTried.put(
                        way,
                        "the JVM wrote no archive when it ended; "
                                + folder.relativize(own.resolve("target.log"))
                                + " says what it printed");
                return;
            }
            variants.put(way, new Variant(plan, List.of(archive.reads() + file)));
        } catch (UserError failed) {
            notTried.put(way, failed.what() + ": " + failed.why());
        } catch (IOException noFolder) {
            notTried.put(way, "its archive cannot be written: " + noFolder.getMessage());
        }
    }

    private Warmed warmed(double seconds, boolean partial) {
        double full = WarmJudging.fullQps(asIs);
        Warmed.Starts plain = WarmJudging.starts(asIs, full);
        WarmNotes.errors("baseline", asIs).ifPresent(notes::add);
        List<Warmed.Tried> tried = new ArrayList<>();
        for (Way way : settings.ways()) {
            List<Curve> seen = curves.getOrDefault(way, List.of());
            if (!seen.isEmpty()) {
                Warmed.Starts with = WarmJudging.starts(seen, full);
                tried.add(WarmJudging.measured(way, plain, with));
                WarmNotes.errors(way.key(), seen).ifPresent(notes::add);
                WarmNotes.withoutRatio(way, plain, with).ifPresent(notes::add);
            } else {
                tried.add(
                        new Warmed.Tried.Not(
                                way,
                                notTried.getOrDefault(way, "it was cut short before its turn")));
            }
        }
        return new Warmed(
                plan.name(),
                settings,
                full,
                WarmJudging.plateauQps(asIs.getFirst()),
                plain,
                tried,
                seconds,
                notes,
                partial);
    }
}
