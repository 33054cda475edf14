package dev.jdyno.observe;

import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.UserError;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordingFile;

/// Who holds what stays alive, and where it was made: a second recording with nothing but
/// `jdk.OldObjectSample`, while live objects are counted. At its end the JVM looks for the paths
/// from the sampled objects that live still to what holds them, and stands still meanwhile, at most
/// for a second.
public final class LeakTrail {
    /// The search for holders is broken off after this: a heap of many gigabytes takes longer.
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

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Jcmd jcmd;
    private final Headroom headroom;
    private final String name;
    private Optional<String> missing = Optional.empty();
    private boolean running;

    private LeakTrail(Jcmd jcmd, Headroom headroom, String name) {
        this.jcmd = jcmd;
        this.headroom = headroom;
        this.name = name;
    }

    /// Starts to sample objects, or says in {@link #missing()} why not. {@link #end()} must follow.
    public static LeakTrail start(Target target) throws InterruptedException {
        var trail =
                new LeakTrail(
                        target.jcmd(),
                        new Headroom(ProcFs.SYSTEM, target.pid()),
                        FlightRecording.PREFIX + ProcessHandle.current().pid() + "-old");
        trail.begin();
        return trail;
    }

    private void begin() throws InterruptedException {
        missing = headroom.shortOf();
        if (missing.isPresent()) {
            return;
        }
        Path settings = headroom.tmp().resolve(name + ".jfc");
        try {
            Files.writeString(settings, SETTINGS);
            String answer =
                    jcmd.run(
                            "JFR.start name=" + name + " settings=/tmp/" + settings.getFileName(),
                            LIMIT);
            running = answer.contains("Started recording");
            missing =
                    running ? missing : Optional.of(answer.strip().lines().findFirst().orElse(""));
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException notWritten) {
            missing = Optional.of("its /tmp cannot be written: " + notWritten.getMessage());
        } finally {
            FlightRecording.delete(settings);
        }
    }

    /// Why nobody knows who holds what; empty when that was looked for.
    public Optional<String> missing() {
        return missing;
    }

    /// Tells who holds most of what was made meanwhile and lives still; nothing where that could
    /// not be told.
    ///
    /// @param grown what was counted meanwhile: which class grew
    public Signals finish(Signals grown) throws InterruptedException {
        Optional<String> growing =
                grown.place(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S)
                        .or(() -> grown.place(Sign.LIVE_GROWTH_BYTES_PER_S));
        if (!running || growing.isEmpty()) {
            return Signals.NONE;
        }
        missing = headroom.shortOf();
        if (missing.isPresent()) {
            return Signals.NONE;
        }
        Path dump = headroom.tmp().resolve(name + ".jfr");
        try {
            // stopping searches for the holders as dumping does: one after the other would stop the
            // target twice
            jcmd.run("JFR.stop name=" + name + " filename=/tmp/" + dump.getFileName(), LIMIT);
            running = false;
            return HeldObject.holder(read(dump), growing.get())
                    .map(LeakTrail::told)
                    .orElse(Signals.NONE);
        } catch (UserError refused) {
            missing = Optional.of(refused.why());
        } catch (IOException unread) {
            missing = Optional.of("the recording was not read: " + unread.getMessage());
        } finally {
            FlightRecording.delete(dump);
        }
        return Signals.NONE;
    }

    private static Signals told(HeldObject.Holder holder) {
        String by = holder.kind().isEmpty() ? holder.by() : holder.by() + ", a " + holder.kind();
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

    /// Sampled objects whose holders the JVM has found.
    static List<HeldObject> read(Path recording) throws IOException {
        List<HeldObject> held = new ArrayList<>();
        try (var file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.OldObjectSample")) {
                    RecordedObject object = event.getValue("object");
                    List<HeldObject.Link> links = object == null ? List.of() : links(object);
                    if (!links.isEmpty()) {
                        held.add(new HeldObject(className(object), links, madeAt(event)));
                    }
                }
            }
        }
        return held;
    }

    private static List<HeldObject.Link> links(RecordedObject object) {
        List<HeldObject.Link> links = new ArrayList<>();
        RecordedObject by = object.getValue("referrer");
        while (by != null) {
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

    /// The object's class; where it is itself a class, whose static field it is, that one.
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

    /// Removes the recording, also when we were interrupted.
    public void end() throws InterruptedException {
        if (!running) {
            return;
        }
        running = false;
        boolean interrupted = Thread.interrupted();
        try {
            jcmd.run("JFR.stop name=" + name, LIMIT);
        } catch (UserError gone) {
            missing = missing.or(() -> Optional.of("not stopped: " + gone.why()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
