package dev.jdyno.heapmodel.advice;

import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.heapmodel.forecast.HeapForecaster;
import dev.jdyno.heapmodel.forecast.ReplayForecast;
import dev.jdyno.heapmodel.simulation.HeapSplit;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A heap for a goal, by {@link HeapForecast}, and what each size would cost.
///
/// @param now the run itself
/// @param choices sizes from tight to roomy, `now` among them, each in the shares that were seen
///   and, where these are fixed and others cost less, in those, too
/// @param chosen the smallest that meets the goal, fits the container and full-collects at most
///   every ten minutes; empty when none does
public record HeapAdvice(Choice now, List<Choice> choices, Optional<Choice> chosen) {
    /// Sizes tried, in heaps seen: the range in which the forecast was checked.
    private static final double[] HEAPS = {0.5, 0.75, 1.25, 1.5, 2, 3, 4};

    /// Shares of the heap tried for a young generation of fixed size (F12: a quarter to two
    /// thirds).
    private static final double[] YOUNG_SHARES = {0.25, 0.4, 0.5, 0.65};

    /// Old must hold what lives and as much again as half of it, or it is full at once.
    private static final double OLD_IN_LIVE_SETS = 1.5;

    /// Full collections more often than this are a fault (IBM's rule for failures).
    private static final double FULL_INTERVAL_MIN_S = 600;

    private static final long GRAIN = 1024 * 1024;

    /// What is asked for.
    ///
    /// @param longestPauseMs as seen, full collections left out
    /// @param container what the JVM may take altogether; empty for no limit
    /// @param heaps sizes to try; empty for half to four times the one seen
    public record Asked(
            HeapGoal goal,
            double longestPauseMs,
            Footprint.Outside outside,
            Optional<Bytes> container,
            List<Bytes> heaps) {
        public Asked {
            heaps = List.copyOf(heaps);
        }
    }

    /// One heap and what it costs.
    ///
    /// @param split its generations; empty where the collector divides it as it goes
    /// @param sharesAsSeen whether young is the same share of the heap as in the run
    /// @param longestPauseMs of others than full collections
    /// @param meets the goal, within the container
    public record Choice(
            HeapForecast forecast,
            Optional<HeapSplit> split,
            boolean sharesAsSeen,
            double longestPauseMs,
            Footprint memory,
            boolean pauseMet,
            boolean fits,
            boolean meets) {
        private static final long MIB = 1024 * 1024;

        /// The command line that makes a heap so.
        public List<String> flags(HeapObservation.Kind kind, HeapGoal goal) {
            var flags = new ArrayList<String>();
            long heap = forecast.heap().value() / MIB;
            flags.add("-Xms" + heap + "m");
            flags.add("-Xmx" + heap + "m");
            split.ifPresent(s -> flags.add("-Xmn" + s.young().value() / MIB + "m"));
            if (kind == HeapObservation.Kind.SERIAL) {
                split.ifPresent(s -> flags.add("-XX:SurvivorRatio=" + s.survivorRatio()));
            }
            if (kind == HeapObservation.Kind.REGIONS && goal.pauseMs().isPresent()) {
                flags.add("-XX:MaxGCPauseMillis=" + Math.max(1, Math.round(goal.pauseMs().get())));
            }
            return flags;
        }
    }

    public HeapAdvice {
        choices = List.copyOf(choices);
    }

    public static HeapAdvice of(HeapObservation seen, Asked asked) {
        return new Trial(seen, asked).advice();
    }

    /// Tries the sizes one by one.
    private static final class Trial {
        private final HeapObservation seen;
        private final Asked asked;
        private final HeapForecaster forecaster;
        private final Optional<ReplayForecast> replay;

        Trial(HeapObservation seen, Asked asked) {
            this.seen = seen;
            this.asked = asked;
            forecaster = HeapForecaster.of(seen);
            replay = forecaster.replay();
        }

        HeapAdvice advice() {
            var heap = new Bytes((long) seen.heapBytes());
            Choice now = asSeen(heap);
            var sizes = new TreeSet<>(asked.heaps());
            if (sizes.isEmpty()) {
                for (double factor : HEAPS) {
                    sizes.add(
                            new Bytes((long) Math.ceil(factor * seen.heapBytes() / GRAIN) * GRAIN));
                }
            }
            sizes.remove(heap);
            var choices = new ArrayList<Choice>();
            choices.add(now);
            for (Bytes size : sizes) {
                Choice asSeen = asSeen(size);
                choices.add(asSeen);
                divided(asSeen).ifPresent(choices::add);
            }
            choices.sort(Comparator.comparing(c -> c.forecast().heap()));
            // pauses say nothing of a heap whose collector works beside the application: keep it
            double least = seen.kind().isPauseless() ? seen.heapBytes() : seen.liveBytes();
            return new HeapAdvice(
                    now,
                    choices,
                    choices.stream()
                            .filter(Choice::meets)
                            .filter(c -> c.forecast().heap().value() >= least)
                            .findFirst());
        }

        private Choice asSeen(Bytes heap) {
            return choice(
                    forecaster.at(heap),
                    seen.youngBytes().map(y -> split(heap, y / seen.heapBytes() * heap.value())),
                    true);
        }

        /// The shares that cost least; empty where those of the run do.
        private Optional<Choice> divided(Choice asSeen) {
            if (replay.isEmpty() || !seen.kind().isFixed()) {
                return Optional.empty();
            }
            Bytes heap = asSeen.forecast().heap();
            Choice best = asSeen;
            for (double share : YOUNG_SHARES) {
                double young = share * heap.value();
                if (heap.value() - young < OLD_IN_LIVE_SETS * seen.liveBytes()) {
                    continue;
                }
                Optional<HeapForecast> forecast = replay.get().at(heap, Optional.of(young));
                if (forecast.isPresent()) {
                    Choice other = choice(forecast.get(), Optional.of(split(heap, young)), false);
                    best = better(best, other);
                }
            }
            return best.sharesAsSeen() ? Optional.empty() : Optional.of(best);
        }

        private static Choice better(Choice a, Choice b) {
            if (a.meets() != b.meets()) {
                return a.meets() ? a : b;
            }
            return b.forecast().pauseShare() < a.forecast().pauseShare() ? b : a;
        }

        private HeapSplit split(Bytes heap, double young) {
            return HeapSplit.of(
                    heap,
                    young,
                    replay.map(r -> r.alive(young))
                            .orElse(seen.copying().map(c -> c.survivedBytes()).orElse(0.0)));
        }

        private Choice choice(HeapForecast f, Optional<HeapSplit> split, boolean asSeen) {
            double mean =
                    mean(
                            seen.youngPauseMs() + seen.cyclePauseMs(),
                            seen.youngGcs() + seen.cycles());
            double other = f.shortPauseMeanMs();
            double longest = mean > 0 ? asked.longestPauseMs() * other / mean : other;
            Footprint memory = Footprint.of(seen.kind(), f.heap(), asked.outside());
            boolean pauseMet = asked.goal().pauseMs().map(p -> longest <= p).orElse(true);
            boolean fits =
                    asked.container().map(c -> memory.total().value() <= c.value()).orElse(true);
            double fullMax = Math.max(seen.spanS() / FULL_INTERVAL_MIN_S, 0.5);
            boolean meets =
                    pauseMet
                            && fits
                            && !f.tooSmall()
                            && f.pauseShare() <= asked.goal().gcShare()
                            && f.fullGcs() <= fullMax;
            return new Choice(f, split, asSeen, longest, memory, pauseMet, fits, meets);
        }

        private static double mean(double total, long count) {
            return count == 0 ? 0 : total / count;
        }
    }
}
