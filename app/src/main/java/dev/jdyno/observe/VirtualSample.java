package dev.jdyno.observe;

import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.observe.ThreadDump.LockRef;
import dev.jdyno.observe.ThreadDump.State;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Virtual threads of one dump, all of them or so many of them by chance.
///
/// The dump lists them by container and age, so its first ones are of one kind. Kept is a uniform
/// sample instead (Vitter's algorithm R: the i-th thread takes the place of one of the k kept with
/// probability k / i), read in one pass whatever the file's size: what is in memory is the sample,
/// each frame once.
///
/// @param threads those kept
/// @param total how many virtual threads the dump had
record VirtualSample(List<JavaThread> threads, long total) {
    static final VirtualSample NONE = new VirtualSample(List.of(), 0);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    VirtualSample {
        threads = List.copyOf(threads);
    }

    /// How many each of those kept stands for.
    double weight() {
        return threads.isEmpty() ? 1 : (double) total / threads.size();
    }

    /// @param json what `Thread.dump_to_file -format=json` wrote
    /// @param atMost how many are kept
    /// @throws tools.jackson.core.JacksonException when it is no such dump
    static VirtualSample read(InputStream json, int atMost, RandomGenerator random)
            throws IOException {
        List<JavaThread> kept = new ArrayList<>();
        Map<String, String> frames = new HashMap<>();
        long total = 0;
        try (JsonParser parser = JSON.createParser(json)) {
            for (JsonToken at = parser.nextToken(); at != null; at = parser.nextToken()) {
                if (at != JsonToken.PROPERTY_NAME || !parser.currentName().equals("threads")) {
                    continue;
                }
                parser.nextToken();
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    JsonNode thread = parser.readValueAsTree();
                    if (!isVirtual(thread)) {
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
        }
        return new VirtualSample(kept, total);
    }

    /// JDK 25 says so; on 21 the bottom frame does.
    private static boolean isVirtual(JsonNode thread) {
        JsonNode stack = thread.path("stack");
        return thread.path("virtual").asBoolean(false)
                || (!stack.isEmpty()
                        && frame(stack.get(stack.size() - 1).asString(""))
                                .equals("java.lang.VirtualThread.run"));
    }

    private static JavaThread thread(JsonNode thread, Map<String, String> known) {
        List<String> frames = new ArrayList<>();
        for (JsonNode line : thread.path("stack")) {
            frames.add(known.computeIfAbsent(line.asString(""), VirtualSample::frame));
        }
        return new JavaThread(
                name(thread),
                VirtualThreads.TID,
                state(thread, frames),
                Optional.empty(),
                frames,
                waitsFor(thread),
                locked(thread));
    }

    private static String name(JsonNode thread) {
        String name = thread.path("name").asString("");
        return name.isEmpty() ? "virtual" : name;
    }

    /// `java.base/java.lang.Thread.sleep(Thread.java:540)` is `java.lang.Thread.sleep`.
    private static String frame(String line) {
        int bracket = line.indexOf('(');
        String name = bracket < 0 ? line : line.substring(0, bracket);
        int module = name.indexOf('/');
        boolean inModule = module >= 0 && !name.substring(0, module).contains("$$Lambda");
        return inModule ? name.substring(name.lastIndexOf('/', module) + 1) : name;
    }

    /// JDK 25: `"blockedOn": "java.lang.Object@7b62ae9b"` or `"parkBlocker": {"object":
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
