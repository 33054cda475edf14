package dev.jdyno.cluster;

import dev.jdyno.measure.text.Problems;
import java.nio.file.Path;

/// Reads a token as an agent does, in a process of another user: prints `taken`, or what is wrong.
final class ReadToken {
    private ReadToken() {}

    public static void main(String[] words) {
        var problems = new Problems();
        boolean taken = Token.read("--token-file", Path.of(words[0]), problems).isPresent();
        System.out.println(taken ? "taken" : problems.list());
    }
}
