package dev.jdyno.observe.host;

import dev.jdyno.target.ProcFs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The words a process was started with.
public record CommandLine(List<String> words) {
    public CommandLine {
        words = List.copyOf(words);
    }

    /// No words of a process that is gone.
    public static CommandLine of(ProcFs proc, long pid) {
        return new CommandLine(strings(proc.text(pid, "cmdline")));
    }

    /// What `/proc` has with a zero behind each, as `cmdline` and `environ`.
    static List<String> strings(Optional<String> zeroEnded) {
        return zeroEnded.stream()
                .map(t ->
                        new String(t.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .flatMap(t -> Arrays.stream(t.split("\0")))
                .toList();
    }

    /// What follows an option, each time it is given: `-f FILE` or `-fFILE`.
    public List<String> after(String option) {
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
