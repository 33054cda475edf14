package dev.jdyno.observe.threads;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.LockRef;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Virtual threads of one dump: all of them or a random sample.
///
/// The dump lists them by container and age, so its first ones are of one kind. A uniform sample is
/// kept instead (Vitter's algorithm R: the i-th thread replaces one of the k kept with probability
/// k / i). The file is read in one pass. Only the sample is kept in memory, and equal frames only
/// once.
///
/// @param threads the sampled threads
/// @param total number of virtual threads in the dump
public record VirtualSample(List<JavaThread> threads, long total) {
    private static final int DEEPEST = 100;

    public static final VirtualSample NONE = new VirtualSample(List.of(), 0);

    /// Maximum number of values and characters of one thread in the dump: at most 1024 frames, and
    /// their locks. One thread is read at a time, so this is the memory of reading.
    private static final int MAX_VALUES = 20_000;

    private static final int MAX_LETTERS = 1 << 20;

    /// Maximum length of a frame that is read, in characters.
    private static final int LONGEST_FRAME = 2000;

    /// Maximum number of different frames that are kept only once; with more, some are kept twice.
    private static final int MAX_FRAMES = 100_000;

    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(MAX_LETTERS)
                                                    .maxNestingDepth(DEEPEST)
                                                    .build())
                                    .build())
                    .build();

    public VirtualSample {
        threads = List.copyOf(threads);
    }

    /// Number of virtual threads that each sampled thread represents.
    public double weight() {
        return threads.isEmpty() ? 1 : (double) total / threads.size();
    }

    /// @param json output of `Thread.dump_to_file -format=json`
    /// @param atMost maximum size of the sample
    /// @throws IOException when it is not such a dump, or a thread in it is too large
    public static VirtualSample read(InputStream json, int atMost, RandomGenerator random)
            throws IOException {
        return read(json, atMost, random, Taker.NONE);
    }

    /// Receives the content of a dump besides its virtual threads.
    interface Taker {
        Taker NONE = new Taker() {};

        /// A property of the whole dump, such as its time.
        default void property(String name, String value) {}

        /// A platform thread.
        default void platform(JavaThread thread, long javaId) {}
    }

    /// Reads a dump, and passes its other content to `others`.
    static VirtualSample read(InputStream json, int atMost, RandomGenerator random, Taker others)
            throws IOException {
        List<JavaThread> kept = new ArrayList<>();
        Map<String, Frame> frames = new HashMap<>();
        long total = 0;
        try (JsonParser parser = JSON.createParser(json)) {
            for (JsonToken at = parser.nextToken(); at != null; at = parser.nextToken()) {
                if (at != JsonToken.PROPERTY_NAME) {
                    continue;
                }
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (!name.equals("threads")) {
                    if (value.isScalarValue() && parser.getStringLength() <= LONGEST_FRAME) {
                        others.property(name, parser.getString());
                    }
                    continue;
                }
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    JsonNode thread = new OneThread(parser).read();
                    if (frames.size() > MAX_FRAMES) {
                        frames.clear();
                    }
                    if (!isVirtual(thread)) {
                        others.platform(thread(thread, frames), thread.path("tid").asLong(0));
                        continue;
                    }
                    total++;
                    long place = total <= atMost ? kept.size() : random.nextLong(total);
                    if (place == kept.size() && place < atMost) {
                        kept.add(thread(thread, frames));
                    } else if (place < atMost) {
                        kept.set((int) place, thread(thread, frames));
                    }
                }
            }
        } catch (JacksonException noDump) {
            throw ForeignJson.malformed(noDump);
        }
        return new VirtualSample(kept, total);
    }

    /// One thread of the dump as a tree, up to a maximum size.
    private static final class OneThread {
        private final JsonParser parser;
        private int values;
        private long letters;

        /// @param parser at the beginning of the thread
        OneThread(JsonParser parser) {
            this.parser = parser;
        }

        JsonNode read() throws IOException {
            return node(parser.currentToken());
        }

        /// Recursive: the parser fails if values nest deeper than {@link #DEEPEST}.
        private JsonNode node(JsonToken at) throws IOException {
            var nodes = JsonNodeFactory.instance;
            letters += at.isScalarValue() ? parser.getStringLength() : 0;
            if (++values > MAX_VALUES || letters > MAX_LETTERS) {
                throw new IOException("a thread of it is larger than any is");
            }
            return switch (at) {
                case START_OBJECT -> {
                    ObjectNode object = nodes.objectNode();
                    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                        String name = parser.currentName();
                        letters += name.length();
                        object.set(name, node(parser.nextToken()));
                    }
                    yield object;
                }
                case START_ARRAY -> {
                    ArrayNode array = nodes.arrayNode();
                    for (JsonToken item = parser.nextToken();
                            item != JsonToken.END_ARRAY;
                            item = parser.nextToken()) {
                        array.add(node(item));
                    }
                    yield array;
                }
                case VALUE_TRUE, VALUE_FALSE -> nodes.booleanNode(at == JsonToken.VALUE_TRUE);
                case VALUE_NULL -> nodes.nullNode();
                default -> nodes.stringNode(parser.getString());
            };
        }
    }

    /// True for a virtual thread. A dump of JDK 25 contains this; in one of JDK 21 the bottom frame
    /// shows it.
    private static boolean isVirtual(JsonNode thread) {
        JsonNode stack = thread.path("stack");
        return thread.path("virtual").asBoolean(false)
                || (!stack.isEmpty()
                        && frame(stack.get(stack.size() - 1).asString(""))
                                .equals("java.lang.VirtualThread.run"));
    }

    /// @param source empty if it has none
    private record Frame(String method, Optional<ThreadDump.Source> source) {
        static Frame of(String line) {
            return new Frame(
                    frame(line),
                    line.indexOf('/') >= 0 || line.length() > LONGEST_FRAME
                            ? Optional.empty()
                            : ThreadDump.source(line));
        }
    }

    private static JavaThread thread(JsonNode thread, Map<String, Frame> known) {
        List<String> frames = new ArrayList<>();
        List<Optional<ThreadDump.Source>> sources = new ArrayList<>();
        for (JsonNode line : thread.path("stack")) {
            Frame frame = known.computeIfAbsent(line.asString(""), Frame::of);
            frames.add(frame.method());
            sources.add(frame.source());
        }
        return new JavaThread(
                name(thread),
                VirtualThreads.TID,
                state(thread, frames),
                Optional.empty(),
                frames,
                waitsFor(thread),
                locked(thread),
                false,
                sources);
    }

    private static String name(JsonNode thread) {
        String name = thread.path("name").asString("");
        return name.isEmpty() ? "virtual" : name;
    }

    /// The method of a frame: `java.lang.Thread.sleep` of
    /// `java.base/java.lang.Thread.sleep(Thread.java:540)`.
    private static String frame(String given) {
        String line = given.length() > LONGEST_FRAME ? given.substring(0, LONGEST_FRAME) : given;
        int bracket = line.indexOf('(');
        String name = bracket < 0 ? line : line.substring(0, bracket);
        int module = name.indexOf('/');
        boolean inModule = module >= 0 && !name.substring(0, module).contains("$$Lambda");
        return inModule ? name.substring(name.lastIndexOf('/', module) + 1) : name;
    }

    /// The object that the thread waits for. JDK 25 writes `"blockedOn":
    /// "java.lang.Object@7b62ae9b"` or `"parkBlocker": {"object":
    /// "java.util.concurrent.locks.ReentrantLock$NonfairSync@1b2c", …}`.
    private static Optional<LockRef> waitsFor(JsonNode thread) {
        String blockedOn = thread.path("blockedOn").asString("");
        String object =
                blockedOn.isEmpty()
                        ? thread.path("parkBlocker").path("object").asString("")
                        : blockedOn;
        int at = object.lastIndexOf('@');
        return at < 0
                ? Optional.empty()
                : Optional.of(new LockRef(object.substring(at + 1), object.substring(0, at)));
    }

    private static List<String> locked(JsonNode thread) {
        List<String> ids = new ArrayList<>();
        for (JsonNode depth : thread.path("monitorsOwned")) {
            for (JsonNode lock : depth.path("locks")) {
                String object = lock.asString("");
                ids.add(object.substring(object.lastIndexOf('@') + 1));
            }
        }
        return ids;
    }

    private static State state(JsonNode thread, List<String> frames) {
        String state = thread.path("state").asString("");
        if (state.isEmpty()) {
            boolean parked =
                    !frames.isEmpty() && frames.get(0).startsWith("java.lang.VirtualThread.park");
            return parked ? State.WAITING : State.RUNNABLE;
        }
        return switch (state) {
            case "RUNNABLE" -> State.RUNNABLE;
            case "BLOCKED" -> State.BLOCKED;
            default -> State.WAITING;
        };
    }
}
