package dev.jdyno.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// CPU of the processes of one program that the target started, directly or indirectly.
///
/// The name of a process that starts and ends between two readings is unknown. Its CPU is added to
/// the programs of named processes that started or ended in the same interval. Without such a
/// process it is added to {@link #UNNAMED}.
///
/// @param name name of the program; for a JVM also what it runs
/// @param cores CPU use in the observed time, in cores
public record ChildProgram(String name, double cores) {
    /// Name for the programs of processes that ended before a reading found them.
    public static final String UNNAMED = "short-lived processes";

    /// Maximum number of programs that are kept, the largest first. The others count as {@link
    /// #UNNAMED} together.
    public static final int KEPT = 10;

    /// The programs by CPU use, the largest first. The sum of their cores stays the same.
    ///
    /// @param cores CPU use in cores, by name of the program
    public static List<ChildProgram> largest(Map<String, Double> cores) {
        List<ChildProgram> sorted =
                cores.entrySet().stream()
                        .filter(e -> e.getValue() > 0)
                        .map(e -> new ChildProgram(e.getKey(), e.getValue()))
                        .sorted(Comparator.comparingDouble(ChildProgram::cores).reversed())
                        .toList();
        if (sorted.size() <= KEPT) {
            return sorted;
        }
        List<ChildProgram> kept =
                new ArrayList<>(
                        sorted.stream()
                                .filter(p -> !p.name().equals(UNNAMED))
                                .limit(KEPT)
                                .toList());
        double rest =
                sorted.stream()
                        .filter(p -> !kept.contains(p))
                        .mapToDouble(ChildProgram::cores)
                        .sum();
        if (rest > 0) {
            kept.add(new ChildProgram(UNNAMED, rest));
        }
        kept.sort(Comparator.comparingDouble(ChildProgram::cores).reversed());
        return kept;
    }
}
