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

/// The heap for a goal, by {@link HeapForecast}, and what each size would cost.
///
/// @param now the run itself
/// @param choices sizes from small to large, including `now`. Each has the generation shares of the
///   run. If the generations are fixed and other shares cost less, the size is listed a second time
///   with these shares.
/// @param chosen the smallest size that meets the goal, fits into the container and has a full
///   collection at most every ten minutes; empty if there is none
public record HeapAdvice(Choice now, List<Choice> choices, Optional<Choice> chosen) {
    /// Sizes to try, as factors of the run's heap: the range in which the forecast was checked.
    private static final double[] HEAPS = {0.5, 0.75, 1.25, 1.5, 2, 3, 4};

    /// Shares of the heap to try for a young generation of fixed size, from a quarter to two thirds
    /// (rules of thumb, F12).
    private static final double[] YOUNG_SHARES = {0.25, 0.4, 0.5, 0.65};

    /// Minimum size of the old generation, as a multiple of the live set. A smaller one is full at
    /// once.
    private static final double OLD_IN_LIVE_SETS = 1.5;

    /// Minimum interval of full collections in seconds. More frequent full collections are a fault
    /// (IBM's rule for failures).
    private static final double FULL_INTERVAL_MIN_S = 600;

    private static final long GRAIN = 1024 * 1024;

    /// The input of the advice.
    ///
    /// @param longestPauseMs longest pause of the run, without full collections
    /// @param container memory limit of the whole JVM; empty for no limit
    /// @param heaps sizes to try; empty for half to four times the run's heap
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

    /// One heap and its costs.
    ///
    /// @param split sizes of the generations in this heap; empty if the collector divides the heap
    ///   dynamically
    /// @param sharesAsSeen true if young has the same share of the heap as in the run
    /// @param longestPauseMs longest pause without full collections
    /// @param meets true if it meets the goal within the container
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

        /// The flags for this heap.
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
            // Pauses do not show whether a concurrent collector could work with a smaller heap, so
            // the heap keeps its size.
            double min = seen.kind().isPauseless() ? seen.heapBytes() : seen.liveBytes();
            return new HeapAdvice(
                    now,
                    choices,
                    choices.stream()
                            .filter(Choice::meets)
                            .filter(c -> c.forecast().heap().value() >= min)
                            .findFirst());
        }

        private Choice asSeen(Bytes heap) {
            return choice(
                    forecaster.at(heap),
                    seen.youngBytes().map(y -> split(heap, y / seen.heapBytes() * heap.value())),
                    true);
        }

        /// The generation shares with the lowest costs; empty if those of the run are the best.
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
