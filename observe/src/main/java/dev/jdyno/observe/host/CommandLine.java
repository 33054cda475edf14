package dev.jdyno.observe.host;

import dev.jdyno.target.ProcFs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The command line of a process.
public record CommandLine(List<String> words) {
    public CommandLine {
        words = List.copyOf(words);
    }

    /// The command line; empty for a process that has ended.
    public static CommandLine of(ProcFs proc, long pid) {
        return new CommandLine(strings(proc.text(pid, "cmdline")));
    }

    /// The zero-terminated strings of a `/proc` file such as `cmdline` and `environ`.
    static List<String> strings(Optional<String> zeroEnded) {
        return zeroEnded.stream()
                .map(t ->
                        new String(t.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .flatMap(t -> Arrays.stream(t.split("\0")))
                .toList();
    }

    /// The value of an option, for each occurrence: `-f FILE` or `-fFILE`.
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
