package dev.jdyno.measure.load;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The outcome of a request that does not count as good. Windows, recordings and results count such
/// requests by its key. Only {@link #of} reads a key.
public sealed interface RequestError permits ErrorKind, RequestError.Status, RequestError.Other {
    /// The name in `errorKinds` of a result.
    String key();

    /// True if it is a complete answer with a wrong content: another status, a failed check.
    boolean isWrongAnswer();

    /// A reply with a status other than 2xx and 3xx.
    record Status(int status) implements RequestError {
        private static final String START = "status-";
        private static final Pattern FORM = Pattern.compile(START + "(\\d{1,3})");

        @Override
        public String key() {
            return START + status;
        }

        @Override
        public boolean isWrongAnswer() {
            return true;
        }

        private static Optional<RequestError> of(String key) {
            Matcher m = FORM.matcher(key);
            return m.matches()
                    ? Optional.of(new Status(Integer.parseInt(m.group(1))))
                    : Optional.empty();
        }
    }

    /// An error that only another version knows.
    record Other(String key) implements RequestError {
        @Override
        public boolean isWrongAnswer() {
            return false;
        }
    }

    /// The error with this key.
    static RequestError of(String key) {
        return Stream.of(ErrorKind.values())
                .filter(k -> k.key().equals(key))
                .<RequestError>map(k -> k)
                .findFirst()
                .or(() -> Status.of(key))
                .orElseGet(() -> new Other(key));
    }

    /// The most frequent of these errors; empty without errors.
    static Optional<RequestError> mostFrequent(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e -> of(e.getKey()));
    }
}
