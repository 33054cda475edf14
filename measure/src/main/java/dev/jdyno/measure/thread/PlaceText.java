package dev.jdyno.measure.thread;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Place.LogStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes and reads the text of places and holders: the `where` and `holder` of results and stored
/// recordings. Only this class parses such a text.
public final class PlaceText {
    private static final String IN = " in ";
    private static final String ONE_OF = "one of ";
    private static final String UNKNOWN_PEER = "unknown peer";
    private static final String ITSELF = "an answer of its own at ";
    private static final String WAITING_FOR = "waiting for ";
    private static final String NO_TYPE = "a notification";
    private static final String PROBABLY = "probably ";
    private static final String ASYNC = "an asynchronous client";
    private static final String IDLE = "idle";
    private static final String FOR_CLIENT = " waits for its client";
    private static final String FOR_CORE = " waits for a thread without a core";
    private static final String FULL_QUEUE = "waiting for a full queue";

    /// A lock and its frame: `java.util.concurrent.locks.ReentrantLock@68e0b1c40 in
    /// com.acme.Shelf.put`.
    private static final Pattern LOCK =
            Pattern.compile("(?<type>\\S+?|a notification)(@(?<id>[0-9a-f]+))?( in (?<frame>.+))?");

    private static final Pattern LOG =
            Pattern.compile(
                    "(?<library>.+?) (?<step>formatting|writing|sleeping|waiting for a full queue"
                            + "|waiting for (?<lock>(a notification|\\S+?)(@[0-9a-f]+)?))"
                            + "( in (?<frame>.+))?");

    /// A method: `com.acme.Page$1.lambda$get$0`, `com.acme.Page.<init>`.
    private static final Pattern METHOD =
            Pattern.compile(
                    "[\\p{L}_$][^\\s:/@.]*(\\.[\\p{L}_$][^\\s:/@.]*)*\\.[\\p{L}_$<][^\\s:/@.]*");

    /// A word of a stored place, without the address of an object and the separators between words.
    private static final Pattern WORD = Pattern.compile("(?<![^ (])[^ @:,;()=\"`']+(?![^ @:,;)])");

    private PlaceText() {}

    public static String of(Place place) {
        return named(place).text();
    }

    /// The text of a place with the class and the methods that it names.
    public static Sentence named(Place place) {
        return switch (place) {
            case Place.Code(Optional<String> called, String frame) ->
                    called.map(c -> Sentence.name(c).and(IN).and(Sentence.name(frame)))
                            .orElseGet(() -> Sentence.name(frame));
            case Place.Lock lock -> name(lock).and(in(lock.frame()));
            case Place.Notified notified -> Sentence.of(WAITING_FOR).and(named(notified.by()));
            case Place.Common(Activity what, Optional<String> frame) ->
                    Sentence.of(what.text()).and(in(frame));
            case Place.Library(String name, Optional<String> frame) ->
                    Sentence.of(name).and(in(frame));
            case Place.ServerIo(String library, boolean client) ->
                    Sentence.of(library + (client ? FOR_CLIENT : FOR_CORE));
            case Place.Log log ->
                    Sentence.format("%s %s%s", log.library(), step(log), in(log.frame()));
            case Place.Peer(Optional<String> client, List<String> addresses) ->
                    Sentence.of(client.map(c -> c + " ").orElse("") + addresses(addresses));
            case Place.Itself(Place.Peer at) -> Sentence.of(ITSELF).and(named(at));
        };
    }

    public static String of(Holder holder) {
        return named(holder).text();
    }

    /// The text of a holder with the class and the methods that it names.
    public static Sentence named(Holder holder) {
        return switch (holder) {
            case Holder.AsyncClient _ -> Sentence.of(ASYNC);
            case Holder.SeenThread(boolean guess, Optional<Holder.Doing> doing) ->
                    Sentence.of(guess ? PROBABLY : "")
                            .and(
                                    doing.map(d ->
                                                    Sentence.format(
                                                            "%s: %s%s",
                                                            d.cause().key(),
                                                            named(d.place()),
                                                            in(d.frame())))
                                            .orElse(Sentence.of(IDLE)));
        };
    }

    /// Finds the names of classes and methods in the text of any stored place.
    public static Sentence named(String text) {
        List<Sentence.Name> names = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            if (METHOD.matcher(word.group()).matches()) {
                names.add(new Sentence.Name(word.group(), word.start()));
            }
        }
        return new Sentence(text, names);
    }

    /// The method in the text of a place, as {@link Place#inFrame}: the part after the last `in`,
    /// or the whole text if it is only a method.
    public static Optional<String> frame(String text) {
        int in = text.lastIndexOf(IN);
        String last = in < 0 ? text : text.substring(in + IN.length());
        return METHOD.matcher(last).matches() ? Optional.of(last) : Optional.empty();
    }

    /// The text before ` in ` and the method: `HikariCP` of `HikariCP in com.acme.Page.get`. Empty
    /// if the text names no method, or only a method.
    public static Optional<String> beforeFrame(String text) {
        int in = text.lastIndexOf(IN);
        return in < 0 || frame(text).isEmpty()
                ? Optional.empty()
                : Optional.of(text.substring(0, in));
    }

    private static Sentence in(Optional<String> frame) {
        return frame.map(f -> Sentence.of(IN).and(Sentence.name(f))).orElse(Sentence.of(""));
    }

    private static Sentence name(Place.Lock lock) {
        return lock.type()
                .map(Sentence::name)
                .orElse(Sentence.of(NO_TYPE))
                .and(lock.id().map(id -> "@" + id).orElse(""));
    }

    private static Sentence step(Place.Log log) {
        return switch (log.step()) {
            case FORMATTING -> Sentence.of("formatting");
            case WRITING -> Sentence.of("writing");
            case SLEEPING -> Sentence.of("sleeping");
            case FULL_QUEUE -> Sentence.of(FULL_QUEUE);
            case LOCK ->
                    Sentence.of(WAITING_FOR)
                            .and(log.lock().map(PlaceText::name).orElse(Sentence.of(NO_TYPE)));
        };
    }

    private static String addresses(List<String> addresses) {
        return switch (addresses.size()) {
            case 0 -> UNKNOWN_PEER;
            case 1 -> addresses.getFirst();
            default -> ONE_OF + String.join(", ", addresses);
        };
    }

    /// Reads a stored place. The text of the result equals the text that was read.
    ///
    /// @param cause activity of the threads at the place, which decides the kind of place
    public static Place place(Cause cause, String text) {
        return common(text)
                .or(() -> serverIo(text))
                .or(() -> byCause(cause, text))
                .filter(p -> of(p).equals(text))
                .orElseGet(() -> code(text));
    }

    private static Optional<Place> byCause(Cause cause, String text) {
        return switch (cause) {
            case LOCK -> lock(text).map(Function.identity());
            case OTHER ->
                    text.startsWith(WAITING_FOR)
                            ? lock(text.substring(WAITING_FOR.length())).map(Place.Notified::new)
                            : lock(text).map(Function.identity());
            case LOGGING -> log(text);
            case POOL, SLEEP -> Optional.of(library(text));
            case DOWNSTREAM, DATABASE -> Optional.of(peer(text));
            case FUTURE ->
                    text.startsWith(ITSELF)
                            ? Optional.of(new Place.Itself(peer(text.substring(ITSELF.length()))))
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<Place> common(String text) {
        return Arrays.stream(Activity.values())
                .filter(a -> text.equals(a.text()) || text.startsWith(a.text() + IN))
                .findFirst()
                .map(a ->
                        new Place.Common(
                                a,
                                text.equals(a.text())
                                        ? Optional.empty()
                                        : Optional.of(
                                                text.substring(a.text().length() + IN.length()))));
    }

    private static Optional<Place> serverIo(String text) {
        if (text.endsWith(FOR_CLIENT)) {
            return Optional.of(
                    new Place.ServerIo(
                            text.substring(0, text.length() - FOR_CLIENT.length()), true));
        }
        return text.endsWith(FOR_CORE)
                ? Optional.of(
                        new Place.ServerIo(
                                text.substring(0, text.length() - FOR_CORE.length()), false))
                : Optional.empty();
    }

    private static Place code(String text) {
        int in = text.indexOf(IN);
        return in < 0
                ? new Place.Code(Optional.empty(), text)
                : new Place.Code(
                        Optional.of(text.substring(0, in)), text.substring(in + IN.length()));
    }

    private static Place library(String text) {
        int in = text.indexOf(IN);
        return in < 0
                ? new Place.Library(text, Optional.empty())
                : new Place.Library(
                        text.substring(0, in), Optional.of(text.substring(in + IN.length())));
    }

    private static Optional<Place.Lock> lock(String text) {
        Matcher m = LOCK.matcher(text);
        return m.matches()
                ? Optional.of(
                        new Place.Lock(
                                Optional.of(m.group("type")).filter(t -> !t.equals(NO_TYPE)),
                                Optional.ofNullable(m.group("id")),
                                Optional.ofNullable(m.group("frame"))))
                : Optional.empty();
    }

    private static Optional<Place> log(String text) {
        Matcher m = LOG.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        LogStep step =
                switch (m.group("step")) {
                    case "formatting" -> LogStep.FORMATTING;
                    case "writing" -> LogStep.WRITING;
                    case "sleeping" -> LogStep.SLEEPING;
                    case FULL_QUEUE -> LogStep.FULL_QUEUE;
                    default -> LogStep.LOCK;
                };
        return Optional.of(
                new Place.Log(
                        m.group("library"),
                        step,
                        step == LogStep.LOCK ? lock(m.group("lock")) : Optional.empty(),
                        Optional.ofNullable(m.group("frame"))));
    }

    /// Reads the text of the other side of a connection: `Jedis 10.0.0.1:6379`, `one of
    /// 10.0.0.1:80, 10.0.0.2:80`.
    public static Place.Peer peer(String text) {
        int list = text.indexOf(ONE_OF);
        if (list >= 0) {
            return new Place.Peer(
                    client(text, list),
                    List.of(text.substring(list + ONE_OF.length()).split(", ", -1)));
        }
        if (text.endsWith(UNKNOWN_PEER)) {
            return new Place.Peer(client(text, text.length() - UNKNOWN_PEER.length()), List.of());
        }
        int at = text.lastIndexOf(' ') + 1;
        return new Place.Peer(client(text, at), List.of(text.substring(at)));
    }

    private static Optional<String> client(String text, int end) {
        return end <= 0 ? Optional.empty() : Optional.of(text.substring(0, end - 1));
    }

    /// Reads a stored holder; empty if the text names no holder.
    public static Optional<Holder> holder(String text) {
        if (text.equals(ASYNC)) {
            return Optional.of(new Holder.AsyncClient());
        }
        boolean guess = text.startsWith(PROBABLY);
        String rest = text.substring(guess ? PROBABLY.length() : 0);
        return rest.equals(IDLE)
                ? Optional.of(new Holder.SeenThread(guess, Optional.empty()))
                : doing(rest).map(d -> new Holder.SeenThread(guess, Optional.of(d)));
    }

    private static Optional<Holder.Doing> doing(String text) {
        return Arrays.stream(Cause.values())
                .filter(c -> text.startsWith(c.key() + ": "))
                .findFirst()
                .map(c -> doing(c, text.substring(c.key().length() + 2)));
    }

    private static Holder.Doing doing(Cause cause, String where) {
        boolean call = cause == Cause.DOWNSTREAM || cause == Cause.DATABASE;
        int in = call ? where.indexOf(IN) : -1;
        return in < 0
                ? new Holder.Doing(cause, place(cause, where), Optional.empty())
                : new Holder.Doing(
                        cause,
                        place(cause, where.substring(0, in)),
                        Optional.of(where.substring(in + IN.length())));
    }
}
