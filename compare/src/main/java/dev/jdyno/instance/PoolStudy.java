package dev.jdyno.instance;

import dev.jdyno.instance.PoolNeed.Known;
import dev.jdyno.instance.SizeTest.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Decides which sizes of pools are tested at the smallest size of the instance: first all proposed
/// ones together, then each pool with the next smaller size. It is a function of the tests so far.
///
/// @param needs the proposed sizes; of several pools with one knob, only one is settable
/// @param tests starts at the smallest size with other pools, in order
record PoolStudy(List<PoolNeed> needs, List<PoolTest> tests) {
    PoolStudy {
        needs = List.copyOf(needs);
        tests = List.copyOf(tests);
    }

    /// A start to test.
    ///
    /// @param places places by the name of the knob
    record Next(Map<String, Integer> places, Why why) {}

    /// The next start; empty if all is known that can be.
    Optional<Next> next() {
        Map<String, Integer> proposed = proposed();
        if (proposed.isEmpty()) {
            return Optional.empty();
        }
        if (together() == Known.NOT_TESTED) {
            return Optional.of(new Next(proposed, Why.POOLS));
        }
        return together() == Known.HOLDS
                ? smaller().stream()
                        .filter(m -> known(m) == Known.NOT_TESTED)
                        .findFirst()
                        .map(m -> new Next(m, Why.SMALLER_POOL))
                : Optional.empty();
    }

    private Map<String, Integer> proposed() {
        Map<String, Integer> places = new TreeMap<>();
        needs.stream()
                .filter(PoolNeed::isSettable)
                .forEach(n -> n.setting().knob().ifPresent(k -> places.put(k, n.places())));
        return places;
    }

    private List<Map<String, Integer>> smaller() {
        List<Map<String, Integer>> all = new ArrayList<>();
        for (PoolNeed need : needs) {
            need.less().ifPresent(less -> all.add(with(need, less)));
        }
        return all;
    }

    private Map<String, Integer> with(PoolNeed need, int less) {
        Map<String, Integer> places = new TreeMap<>(proposed());
        need.setting().knob().ifPresent(k -> places.put(k, less));
        return places;
    }

    private Known known(Map<String, Integer> places) {
        return tests.stream()
                .filter(t -> t.places().equals(places))
                .findFirst()
                .map(t -> Known.of(t.test()))
                .orElse(Known.NOT_TESTED);
    }

    /// What is known of all proposed sizes together. Sizes that the service has anyway held on the
    /// starts of the search.
    private Known together() {
        return needs.stream().filter(PoolNeed::isSettable).allMatch(PoolNeed::isPresent)
                ? Known.HOLDS
                : known(proposed());
    }

    /// The needs with what the tests showed.
    List<PoolNeed> results() {
        return needs.stream()
                .map(n ->
                        n.isSettable()
                                ? n.known(
                                        together(),
                                        n.less().map(l -> known(with(n, l))).orElse(Known.NONE))
                                : n)
                .toList();
    }
}
