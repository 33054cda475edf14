package dev.jdyno.guard;

import dev.jdyno.repository.Revision;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The suspects as shown to the user.
record BisectList(List<Revision> revisions, Suspects suspects) {
    private static final int MAX = 5;

    /// Minimum probability of a listed suspect.
    private static final double MIN = 0.01;

    /// Returns the most probable suspects, the most probable first.
    List<Bisected.Suspect> most() {
        return IntStream.range(1, revisions.size())
                .mapToObj(k -> new Bisected.Suspect(revisions.get(k), suspects.of(k)))
                .filter(s -> s.probability() >= MIN)
                .sorted(Comparator.comparingDouble(Bisected.Suspect::probability).reversed())
                .limit(MAX)
                .toList();
    }
}
