package dev.jdyno.observe.heap;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.jfr.RecordedEvents;
import dev.jdyno.observe.jfr.SideRecording;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedObject;

/// Finds the holders of retained objects, and the places that allocated these objects. It uses a
/// second recording with only `jdk.OldObjectSample` while live objects are counted. At its end the
/// JVM searches for the paths from the sampled live objects to their roots. The JVM is stopped for
/// this search, for at most a second.
public final class LeakTrail {
    /// The search for holders is cancelled after the cutoff, because a heap of many gigabytes takes
    /// longer.
    private static final String SETTINGS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0" label="jdyno old objects" provider="jdyno">
              <event name="jdk.OldObjectSample">
                <setting name="enabled">true</setting>
                <setting name="stackTrace">true</setting>
                <setting name="cutoff">1 s</setting>
              </event>
            </configuration>
            """;

    /// Maximum number of links from an object to its holder. The JVM limits the path to 200 links,
    /// but in a broken recording an object may hold itself.
    private static final int MAX_LINKS = 1000;

    private LeakTrail() {}

    /// Counts live objects while the recording runs.
    public interface Counting {
        LiveGrowth count() throws InterruptedException;
    }

    /// Counts live objects and samples objects meanwhile. Adds the holder of most objects of the
    /// growing class, if it is known.
    ///
    /// @param missing receives the reason why holders are unknown
    /// @throws UserError when counting fails
    public static Signals during(Target target, Counting counting, Consumer<String> missing)
            throws InterruptedException {
        Optional<SideRecording> recording = start(target, missing);
        try {
            LiveGrowth grown = counting.count();
            return recording.isPresent()
                    ? asSignals(recording.get(), grown, missing)
                    : grown.signals();
        } finally {
            if (recording.isPresent()) {
                end(recording.get(), missing);
            }
        }
    }

    /// Ends the recording. If that fails, the counts are kept.
    private static void end(SideRecording recording, Consumer<String> missing)
            throws InterruptedException {
        try {
            recording.end();
        } catch (UserError gone) {
            missing.accept("not stopped: " + gone.why());
        }
    }

    private static Optional<SideRecording> start(Target target, Consumer<String> missing)
            throws InterruptedException {
        try {
            return Optional.of(
                    SideRecording.start(
                            target, "who holds what leaks is not known", "-old", SETTINGS));
        } catch (UserError refused) {
            missing.accept(refused.why());
            return Optional.empty();
        }
    }

    private static Signals asSignals(
            SideRecording recording, LiveGrowth counted, Consumer<String> missing)
            throws InterruptedException {
        Signals grown = counted.signals();
        Optional<String> growing =
                grown.place(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S)
                        .or(() -> grown.place(Sign.LIVE_GROWTH_BYTES_PER_S));
        try {
            Found found = recording.finish(LeakTrail::read);
            double longest =
                    Math.max(found.stoppedMs(), grown.of(Sign.LIVE_COUNT_PAUSE_MS).orElse(0.0));
            return grown.and(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, longest)))
                    .and(
                            growing.flatMap(type ->
                                            HeldObject.holder(
                                                    found.objects(), type, counted.steady()))
                                    .map(LeakTrail::asSignals)
                                    .orElse(Signals.NONE))
                    .and(
                            HeldObject.holder(found.objects())
                                    .map(LeakTrail::ofTheLiveSet)
                                    .orElse(Signals.NONE));
        } catch (UserError refused) {
            missing.accept(refused.why());
            return grown;
        }
    }

    /// @param objects sampled objects whose holders the JVM has found
    /// @param stoppedMs time for which the JVM was stopped for the search
    public record Found(List<HeldObject> objects, double stoppedMs) {}

    private static Signals ofTheLiveSet(HeldObject.Holder holder) {
        return new Signals(
                Map.of(Sign.LIVE_SET_HELD_SHARE, holder.share()),
                Map.of(Sign.LIVE_SET_HELD_SHARE, holder.text()));
    }

    private static Signals asSignals(HeldObject.Holder holder) {
        String by = holder.text();
        var held =
                new Signals(
                        Map.of(Sign.LIVE_HELD_SHARE, holder.share()),
                        Map.of(Sign.LIVE_HELD_SHARE, by));
        return holder.madeAt().isEmpty()
                ? held
                : held.and(
                        new Signals(
                                Map.of(Sign.LIVE_MADE_SHARE, holder.madeShare()),
                                Map.of(Sign.LIVE_MADE_SHARE, holder.madeAt())));
    }

    public static Found read(Path recording) throws IOException {
        List<HeldObject> held = new ArrayList<>();
        var stops = new DoubleAccumulator(Math::max, 0);
        RecordedEvents.each(
                recording,
                event -> {
                    if (event.getEventType().getName().equals("jdk.OldObjectSample")) {
                        stops.accumulate(event.getDuration().toNanos() / 1e6);
                        RecordedObject object = event.getValue("object");
                        List<HeldObject.Link> links = object == null ? List.of() : links(object);
                        if (!links.isEmpty()) {
                            held.add(new HeldObject(className(object), links, madeAt(event)));
                        }
                    }
                });
        return new Found(held, stops.get());
    }

    private static List<HeldObject.Link> links(RecordedObject object) {
        List<HeldObject.Link> links = new ArrayList<>();
        RecordedObject by = object.getValue("referrer");
        while (by != null && links.size() < MAX_LINKS) {
            RecordedObject owner = by.getValue("object");
            if (owner == null) {
                break;
            }
            RecordedObject field = by.getValue("field");
            RecordedObject array = by.getValue("array");
            int passedOver = by.getInt("skip");
            links.add(
                    new HeldObject.Link(
                            className(owner),
                            field == null ? "" : field.getString("name"),
                            Math.max(passedOver, array == null ? 0 : array.getInt("size"))));
            by = owner.getValue("referrer");
        }
        return links;
    }

    /// The object's class. If the object is itself a class, with a static field, it is that class.
    private static String className(RecordedObject object) {
        RecordedClass type = object.getValue("type");
        String description = object.getString("description");
        String itself = "Class Name: ";
        return description != null && description.startsWith(itself)
                ? description.substring(itself.length())
                : type == null ? "" : type.getName();
    }

    private static String madeAt(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return "";
        }
        List<RecordedFrame> frames =
                event.getStackTrace().getFrames().stream()
                        .filter(RecordedFrame::isJavaFrame)
                        .toList();
        return frames.stream()
                .filter(f -> !LiveObjects.isOfTheJdk(f.getMethod().getType().getName()))
                .findFirst()
                .or(() -> frames.stream().findFirst())
                .map(LeakTrail::place)
                .orElse("");
    }

    private static String place(RecordedFrame frame) {
        String method = frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
        return frame.getLineNumber() > 0 ? method + ", line " + frame.getLineNumber() : method;
    }
}
