package dev.jdyno.observe;

import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.stream.IntStream;

/// The words a process was started with.
record CommandLine(List<String> words) {
    CommandLine {
        words = List.copyOf(words);
    }

    /// No words of a process that is gone.
    static CommandLine of(ProcFs proc, long pid) {
        return new CommandLine(List.of(proc.text(pid, "cmdline").orElse("").split("\0")));
    }

    /// What follows an option, each time it is given: `-f FILE` or `-fFILE`.
    List<String> after(String option) {
        return IntStream.range(0, words.size())
                .filter(i -> words.get(i).startsWith(option))
                .mapToObj(i ->
                        words.get(i).length() > option.length()
                                ? words.get(i).substring(option.length())
                                : i + 1 < words.size() ? words.get(i + 1) : "")
                .filter(w -> !w.isEmpty())
                .toList();
    }
}
