package dev.jdyno.instance;

import dev.jdyno.compare.Note;
import dev.jdyno.instance.SizeSearch.Below;
import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The result of a search for the smallest instance.
///
/// @param plan name of the plan
/// @param demand what the test at full size showed; empty if it showed nothing
/// @param proposed the size that the model proposed
/// @param tests every test, in order
/// @param found the smallest good size; empty if none was good
/// @param pools the sizes of the pools
/// @param heapOfCommand flag of the launch command for the largest heap, which counts only at full
///   size; empty without one
/// @param seconds duration of all tests
public record Sized(
        String plan,
        SizeWish wish,
        Optional<SizeDemand> demand,
        Optional<InstanceSize> proposed,
        List<SizeTest> tests,
        End end,
        Optional<Found> found,
        Pools pools,
        Optional<String> heapOfCommand,
        List<Note> notes,
        double seconds) {
    public Sized {
        tests = List.copyOf(tests);
        notes = List.copyOf(notes);
    }

    /// The sizes of the pools.
    ///
    /// @param needs what each pool needs; of the smallest good size, or else of the full size
    /// @param tests starts with other pools, in order
    /// @param raised places with which every test of a size ran, by knob, because the full size
    ///   failed with its own pools, and not with these: it held the rate, or was not decided (first
    ///   test); empty if it ran as the launch command sets them
    public record Pools(List<PoolNeed> needs, List<PoolTest> tests, Map<String, Integer> raised) {
        public static final Pools NONE = new Pools(List.of(), List.of(), Map.of());

        public Pools {
            needs = List.copyOf(needs);
            tests = List.copyOf(tests);
            raised = Collections.unmodifiableMap(new TreeMap<>(raised));
        }
    }

    /// The smallest good size.
    ///
    /// @param flags JVM flags with which it was tested
    /// @param starts fresh starts of it
    /// @param goodStarts those on which it was good; the others were open
    /// @param lessCpu the size with one step less CPU
    /// @param lessMemory the size with one step less memory
    /// @param cost price of a month for one instance; empty without prices
    public record Found(
            InstanceSize size,
            List<String> flags,
            long starts,
            long goodStarts,
            Below lessCpu,
            Below lessMemory,
            Optional<Double> cost) {
        public Found {
            flags = List.copyOf(flags);
        }

        static Optional<Found> of(SizeWish wish, List<SizeTest> tests) {
            return SizeSearch.smallestGood(tests)
                    .map(size -> {
                        List<SizeTest> own =
                                tests.stream().filter(t -> t.size().equals(size)).toList();
                        return new Found(
                                size,
                                own.getFirst().flags(),
                                own.size(),
                                SizeSearch.goodStarts(tests, size),
                                SizeSearch.lessCpu(wish.grid(), tests, size),
                                SizeSearch.lessMemory(wish.grid(), tests, size),
                                wish.price().map(p -> p.of(size)));
                    });
        }
    }

    /// Price of a month for all replicas of the found size; empty without prices or a size.
    public Optional<Double> totalCost() {
        return found.flatMap(Found::cost).map(c -> c * wish.replicas());
    }

    /// The smallest number of replicas that the CPU demand at full size suggests, if the full size
    /// cannot hold the rate of an instance. It is computed, not tested.
    ///
    /// Empty if the full size is not bad, if its demand is unknown, or if its CPU demand needs no
    /// more replicas, so that something else limits it.
    public Optional<Long> computedReplicas() {
        return tests.stream()
                .findFirst()
                .filter(full -> full.outcome() == Outcome.BAD && !full.shortOfMemory())
                .flatMap(_ -> demand)
                .map(d -> SizeModel.replicas(d, wish))
                .filter(n -> n > wish.replicas());
    }

    /// True if the search ended before it was complete.
    public boolean partial() {
        return switch (end) {
            case STOPPED, BUDGET, FAILED -> true;
            case FOUND, NONE_GOOD -> false;
        };
    }
}
