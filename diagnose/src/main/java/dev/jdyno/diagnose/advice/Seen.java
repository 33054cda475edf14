package dev.jdyno.diagnose.advice;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Profile;
import java.util.Arrays;
import java.util.List;

/// A pattern that an entry of the knowledge file searches for in the evidence.
sealed interface Seen {
    /// Returns the minimum share for a match, 0…1.
    double share();

    /// Stacks that contain all of these frames.
    ///
    /// @param waits true if the time of the stack is a wait that disappears with the call
    /// @param frames from the outermost to the innermost, each the beginning of a frame
    record Stack(Profile.Kind kind, boolean waits, double share, List<String> frames)
            implements Seen {
        public Stack {
            frames = List.copyOf(frames);
        }
    }

    /// Objects of a class that one place allocates.
    ///
    /// @param type the beginning of the class's name
    /// @param perRequest minimum that a request allocates there
    /// @param forReply true if such objects are usually made for the reply, so that they do not
    ///   count if the reply is much smaller
    record Allocated(double share, String type, Bytes perRequest, boolean forReply)
            implements Seen {
        /// The word after the size that marks objects made for the reply.
        private static final String REPLY = "reply";

        /// @param what the class, the size, and optionally the word {@link #REPLY}
        private static Allocated parse(double share, List<String> what) {
            return new Allocated(
                    share,
                    what.getFirst(),
                    Bytes.parse(what.size() < 2 ? "" : what.get(1)),
                    what.getLast().equals(REPLY));
        }
    }

    /// Exceptions of a class that one place creates.
    ///
    /// @param type the beginning of the class's name
    record Thrown(double share, String type) implements Seen {}

    /// Reads a pattern: kind, minimum share, and what to search for. Examples: `cpu 5 %
    /// java.util.regex.Pattern.compile`, `alloc 30 % byte[] 1m` (at least 1 MiB per request),
    /// `thrown 30 % java.lang.NumberFormatException`.
    ///
    /// @throws IllegalArgumentException if the text does not have this form
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
            case "alloc" -> Allocated.parse(share, what);
            case "thrown" -> new Thrown(share, what.getFirst());
            default -> throw new IllegalArgumentException("no such kind of evidence: " + text);
        };
    }
}
