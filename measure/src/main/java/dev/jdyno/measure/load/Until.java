package dev.jdyno.measure.load;

import dev.jdyno.measure.text.Durations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The condition that ends a continuing reply.
public sealed interface Until {
    /// An event whose data is this text or has a line equal to it. For a reply without events, a
    /// body that contains the text. A reply that ends without the text has failed.
    record Text(String text) implements Until {
        public Text {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (text.isEmpty() || bytes > LONGEST || text.chars().anyMatch(c -> c < ' ')) {
                throw new IllegalArgumentException(
                        "the text must be one line of 1 to " + LONGEST + " bytes");
            }
        }

        @Override
        public String form() {
            return text;
        }
    }

    /// This number of events. A reply that ends with fewer is a good one.
    record Events(int number) implements Until {
        public Events {
            if (number < 1) {
                throw new IllegalArgumentException("at least 1 event is needed");
            }
        }

        @Override
        public String form() {
            return number + (number == 1 ? " event" : " events");
        }
    }

    /// The reply ends this time after its request was sent. The head of the reply must have arrived
    /// by then.
    record Time(Duration length) implements Until {
        public Time {
            if (!length.isPositive()) {
                throw new IllegalArgumentException("the time must be > 0");
            }
        }

        @Override
        public String form() {
            return length.toNanos() % 1_000_000 == 0
                    ? length.toMillis() + "ms"
                    : length.toNanos() + "ns";
        }
    }

    /// Maximum length of a text, in bytes.
    int LONGEST = 1000;

    String FORM = "write a text such as [DONE], a number as in 20 events, or a time as in 30s";

    Pattern EVENTS = Pattern.compile("(\\d{1,9})\\s+events?");
    Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

    /// The form that {@link #parse} reads.
    String form();

    /// Parses `[DONE]`, `20 events` or `30s`.
    ///
    /// @throws IllegalArgumentException if the text has none of these forms
    static Until parse(String given) {
        String text = given.strip();
        Matcher events = EVENTS.matcher(text);
        if (events.matches()) {
            return new Events(Integer.parseInt(events.group(1)));
        }
        if (NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' may be events or seconds: write "
                            + text
                            + " events or "
                            + text
                            + "s");
        }
        Duration length;
        try {
            length = Durations.parse(text);
        } catch (IllegalArgumentException noTime) {
            return new Text(text);
        }
        return new Time(length);
    }
}
