package dev.jdyno.diagnose.advice;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Profile;
import java.util.Arrays;
import java.util.List;

/// What an entry of the knowledge file looks for in the evidence.
sealed interface Seen {
    /// Share from which it counts, 0…1.
    double share();

    /// Stacks that have all of these frames.
    ///
    /// @param waits whether the time in it passes waiting for what goes away with the call
    /// @param frames from the outermost in, each the beginning of one
    record Stack(Profile.Kind kind, boolean waits, double share, List<String> frames)
            implements Seen {
        public Stack {
            frames = List.copyOf(frames);
        }
    }

    /// Objects of a class that one place allocates.
    ///
    /// @param type the beginning of the class's name
    /// @param perRequest the least that a request allocates there
    record Allocated(double share, String type, Bytes perRequest) implements Seen {}

    /// Exceptions of a class that one place makes.
    ///
    /// @param type the beginning of the class's name
    record Thrown(double share, String type) implements Seen {}

    /// `cpu 5 % java.util.regex.Pattern.compile`, `alloc 30 % byte[] 1m`, `thrown 30 %
    /// java.lang.NumberFormatException`.
    ///
    /// @throws IllegalArgumentException when it is not of this form
    static Seen parse(String text) {
        List<String> words = Arrays.asList(text.split(" +"));
        if (words.size() < 4 || !words.get(2).equals("%")) {
            throw new IllegalArgumentException("not `KIND SHARE % WHAT`: " + text);
        }
        double share = Double.parseDouble(words.get(1)) / 100;
        List<String> what = words.subList(3, words.size());
        return switch (words.getFirst()) {
            case "cpu" -> new Stack(Profile.Kind.CPU, false, share, what);
            case "busy" -> new Stack(Profile.Kind.WALL, false, share, what);
            case "wait" -> new Stack(Profile.Kind.WALL, true, share, what);
            case "alloc" -> new Allocated(share, what.getFirst(), Bytes.parse(what.getLast()));
            case "thrown" -> new Thrown(share, what.getFirst());
            default -> throw new IllegalArgumentException("no such kind of evidence: " + text);
        };
    }
}
