package dev.jdyno.recorded;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The threads of the dumps by the names that the kernel can show for them. The time of a search
/// does not grow with the number of threads, because both files may have hundreds of thousands of
/// names.
final class KernelNames {
    private static final int COMM = ThreadCpuText.COMM;

    /// Maximum number of threads that are stored for one name. Two suffice to show that the name is
    /// ambiguous.
    private static final int MAX = 2;

    private final Map<String, Set<Long>> shown = new HashMap<>();
    private final TreeMap<String, Set<Long>> whole = new TreeMap<>();

    /// @param threads names of the threads of the dumps, by id
    KernelNames(Map<Long, String> threads) {
        threads.forEach((id, name) -> {
            keep(whole.computeIfAbsent(name, _ -> new HashSet<>()), id);
            of(name).forEach(n -> keep(shown.computeIfAbsent(n, _ -> new HashSet<>()), id));
        });
    }

    private static void keep(Set<Long> ids, Long id) {
        if (ids.size() < MAX) {
            ids.add(id);
        }
    }

    /// The kernel's names of a thread: its first 15 characters, and in newer JDKs also its first 7
    /// and last 6 characters with `..` between them.
    static List<String> of(String thread) {
        if (thread.length() <= COMM) {
            return List.of(thread.strip());
        }
        return List.of(
                thread.substring(0, COMM).strip(),
                thread.substring(0, 7) + ".." + thread.substring(thread.length() - 6));
    }

    /// The only thread that a name of the kernel can mean; empty if there is none or several. A
    /// name that ends with `+` is shortened by top.
    Optional<Long> only(String kernel) {
        Set<Long> ids = new HashSet<>(shown.getOrDefault(kernel, Set.of()));
        if (kernel.endsWith("+")) {
            String begin = kernel.substring(0, kernel.length() - 1);
            for (Map.Entry<String, Set<Long>> e : whole.tailMap(begin).entrySet()) {
                if (ids.size() >= MAX || !e.getKey().startsWith(begin)) {
                    break;
                }
                ids.addAll(e.getValue());
            }
        }
        return ids.size() == 1 ? ids.stream().findFirst() : Optional.empty();
    }
}
