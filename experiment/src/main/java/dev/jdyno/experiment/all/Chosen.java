package dev.jdyno.experiment.all;

import dev.jdyno.experiment.Experiment;
import dev.jdyno.measure.text.Problems;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Parses a list of experiments such as `E1,E4-E8`.
public final class Chosen {
    private static final Pattern ONE_OR_RANGE =
            Pattern.compile("([A-Za-z]\\d{1,4})(?:-([A-Za-z]\\d{1,4}))?");

    private Chosen() {}

    /// @param list ids and ranges of ids in any case, separated by commas
    /// @param option the option that has the list, for messages
    /// @param problems collects every mistake
    /// @return their ids
    public static Set<String> of(
            String list, List<Experiment> all, String option, Problems problems) {
        Set<Integer> places = new TreeSet<>();
        for (String word : list.split(",", -1)) {
            Matcher m = ONE_OR_RANGE.matcher(word.strip());
            if (!m.matches()) {
                problems.add(
                        option + " " + list,
                        "'" + word + "' is neither an experiment nor a range of them",
                        "write a list such as E1,E4-E8");
                continue;
            }
            Optional<Integer> first = place(m.group(1), all, option, problems);
            Optional<Integer> last =
                    m.group(2) == null ? first : place(m.group(2), all, option, problems);
            if (first.isEmpty() || last.isEmpty()) {
                continue;
            }
            if (last.get() < first.get()) {
                problems.add(
                        option + " " + list,
                        "the range " + word + " ends before it begins",
                        "write " + m.group(2) + "-" + m.group(1));
            }
            for (int i = first.get(); i <= last.get(); i++) {
                places.add(i);
            }
        }
        return places.stream().map(i -> all.get(i).id()).collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<Integer> place(
            String id, List<Experiment> all, String option, Problems problems) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id().equalsIgnoreCase(id)) {
                return Optional.of(i);
            }
        }
        problems.add(
                option + " " + id,
                "there is no such experiment",
                "the catalogue has " + all.getFirst().id() + " to " + all.getLast().id());
        return Optional.empty();
    }
}
