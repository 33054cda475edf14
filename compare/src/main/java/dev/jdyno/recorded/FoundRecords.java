package dev.jdyno.recorded;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Trust;
import dev.jdyno.foreign.ForeignLines;
import dev.jdyno.foreign.Gunzip;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.read.WideText;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.SourceFile;
import dev.jdyno.measure.SourceFile.Kind;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.jfr.FlightFigures;
import dev.jdyno.observe.jfr.FlightJvm;
import dev.jdyno.observe.stacks.DumpText;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadTimes;
import dev.jdyno.observe.threads.DumpFile;
import dev.jdyno.recorded.GivenFiles.Given;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The contents of the given files, recognised by content and never by name.
final class FoundRecords {
    private static final long MAX_BYTES = 4L << 30;

    /// Maximum number of characters of one file after unpacking.
    private static final long MAX_LETTERS = 4L << 30;

    private static final int HEAD_BYTES = 4096;
    private static final int MAX_LINE_BYTES = 4000;

    /// Maximum number of threads of all dumps together: 500 dumps with 400 threads.
    private static final int MAX_THREADS = 200_000;

    private static final String JFR = "FLR\0";
    private static final String RECORDER = "jdk.jfr.internal.";

    /// One flight recording.
    record Flight(String file, Path path, FlightJvm jvm, FlightFigures figures) {
        Optional<TimeSpan> span() {
            return jvm.first().flatMap(f -> jvm.last().map(l -> new TimeSpan(f, l)));
        }
    }

    /// One GC log.
    record Collections(String file, LoggedCollections events, Analysis analysis) {}

    /// One access log.
    record Access(String file, AccessTimes times) {}

    /// One output of top or pidstat.
    record Cpu(String file, ThreadCpuText text) {}

    /// One JSON dump.
    record Json(String file, DumpFile dump) {}

    private final Frames frames;
    private final Problems problems;
    private final List<RecordedDump> dumps = new ArrayList<>();
    private final List<Json> json = new ArrayList<>();
    private final List<Flight> flights = new ArrayList<>();
    private final List<Collections> gcLogs = new ArrayList<>();
    private final List<Access> accessLogs = new ArrayList<>();
    private final List<Cpu> threadCpu = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int threads;
    private int dumpsLeftOut;

    /// @param problems receives the mistakes of a file
    FoundRecords(Frames frames, Problems problems) {
        this.frames = frames;
        this.problems = problems;
    }

    void read(Given file) {
        Path absolute = file.path().toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent == null) {
            problems.add(file.name(), "is no file", "give a file or a folder");
            return;
        }
        try (Folder in = Folder.open(parent);
                Handle handle =
                        in.file(
                                String.valueOf(absolute.getFileName()),
                                Trust.anyOwner(MAX_BYTES))) {
            read(file, handle);
        } catch (NotTrusted refused) {
            problems.add(file.name(), String.valueOf(refused.getMessage()), "give the file itself");
        } catch (IOException broken) {
            problems.add(
                    file.name(),
                    String.valueOf(broken.getMessage()),
                    "record or copy it again; if it is none of the recordings, leave it out");
        }
    }

    private void read(Given file, Handle handle) throws IOException {
        byte[] start = handle.head(HEAD_BYTES);
        String head = new String(start, StandardCharsets.ISO_8859_1);
        if (head.startsWith(JFR)) {
            flights.add(
                    new Flight(
                            file.name(),
                            file.path(),
                            FlightJvm.read(handle.path()),
                            FlightFigures.read(handle.path(), frames)));
        } else if (head.stripLeading().startsWith("{") && head.contains("\"threadDump\"")) {
            try (InputStream in = handle.stream()) {
                json.add(new Json(file.name(), DumpFile.read(in)));
            }
        } else {
            text(file, handle);
        }
    }

    private static InputStream plain(Handle handle) throws IOException {
        var in = new BufferedInputStream(handle.stream());
        in.mark(2);
        boolean packed = Gunzip.isPacked(in);
        in.reset();
        return packed ? new Gunzip(in) : WideText.narrow(in);
    }

    private void text(Given file, Handle handle) throws IOException {
        int before = dumps.size() + dumpsLeftOut;
        var splitter = new DumpText(d -> dump(file, d));
        var access = new AccessTimes();
        var cpu = new ThreadCpuText();
        boolean gc = false;
        long letters = 0;
        try (var lines = new ForeignLines(plain(handle), StandardCharsets.UTF_8, MAX_LINE_BYTES)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                String text = line.get().text();
                letters += text.length();
                if (letters > MAX_LETTERS) {
                    throw new IOException("it holds more than " + (MAX_LETTERS >> 30) + " GiB");
                }
                splitter.line(text);
                access.line(text);
                cpu.line(text);
                gc |= isOfGc(text);
            }
        }
        splitter.finish();
        boolean any = dumps.size() + dumpsLeftOut > before;
        if (access.lines() > 0) {
            any = true;
            accessLogs.add(new Access(file.name(), access));
            if (access.isCut()) {
                notes.add(file.name() + ": of its requests those of one month are counted");
            }
        }
        any |= cpu(file, cpu);
        any |= gc && gcLog(file, handle);
        if (!any && file.explicit()) {
            problems.add(
                    file.name(),
                    "holds no flight recording, thread dump, GC log, access log or CPU of threads",
                    "leave it out; a thread dump begins with 'Full thread dump'");
        }
    }

    private boolean cpu(Given file, ThreadCpuText text) {
        text.finish();
        if (text.reports() + text.reportsLeftOut() == 0) {
            return false;
        }
        if (text.isCut()) {
            notes.add(file.name() + ": not all of its reports are read");
        }
        threadCpu.add(new Cpu(file.name(), text));
        return true;
    }

    /// True if a line can be of a GC log: `[1.234s][info][gc] GC(0) Pause Young …`, or before JDK 9
    /// `1.234: [GC (Allocation …`.
    private static boolean isOfGc(String line) {
        return line.contains("GC(")
                || line.contains("[GC ")
                || line.contains("[Full GC")
                || line.contains("[gc");
    }

    private boolean gcLog(Given file, Handle handle) throws IOException {
        var events = new LoggedCollections();
        try (InputStream in = handle.stream()) {
            Analysis analysis = GcLog.read(file.name(), in, new GcLog.Options(0, events));
            if (events.isEmpty()) {
                return false;
            }
            gcLogs.add(new Collections(file.name(), events, analysis));
            events.doubt().ifPresent(d -> notes.add(file.name() + ": " + d));
            return true;
        } catch (UserError noLog) {
            // not a GC log, but an application's log that mentions the collector
            return false;
        }
    }

    private void dump(Given file, DumpText.Found found) {
        ThreadDump parsed = ThreadDump.parse(found.text());
        if (parsed.threads().isEmpty()) {
            problems.add(
                    file.name() + ":" + found.line(),
                    "is a thread dump without threads",
                    "take it again");
            return;
        }
        if (found.cut()) {
            notes.add(file.name() + ":" + found.line() + ": this dump is not read to its end");
        }
        add(
                new RecordedDump(
                        file.name(),
                        found.at(),
                        Optional.empty(),
                        found.jvm(),
                        found.version(),
                        parsed,
                        ThreadTimes.parse(found.text()),
                        ThreadTimes.names(found.text())));
    }

    private void add(RecordedDump dump) {
        threads += dump.dump().threads().size();
        if (threads > MAX_THREADS) {
            dumpsLeftOut++;
        } else {
            dumps.add(dump);
        }
    }

    /// The dumps inside flight recordings. They are used if there are no other dumps.
    List<RecordedDump> dumpsOfFlights() {
        List<RecordedDump> inside = new ArrayList<>();
        for (Flight flight : flights) {
            for (FlightJvm.Dump d : flight.jvm().dumps()) {
                ThreadDump parsed = withoutRecorder(ThreadDump.parse(d.text()));
                if (!parsed.threads().isEmpty()) {
                    inside.add(
                            new RecordedDump(
                                    flight.file(),
                                    Optional.empty(),
                                    Optional.of(d.at()),
                                    flight.jvm().jvm(),
                                    flight.jvm().version(),
                                    parsed,
                                    ThreadTimes.parse(d.text()),
                                    ThreadTimes.names(d.text())));
                }
            }
        }
        return inside;
    }

    /// Leaves out the threads of the flight recorder: one takes the dump, and others wait for it.
    private static ThreadDump withoutRecorder(ThreadDump dump) {
        return new ThreadDump(
                dump.threads().stream()
                        .filter(t -> t.frames().stream().noneMatch(f -> f.startsWith(RECORDER)))
                        .toList());
    }

    List<RecordedDump> dumps() {
        return dumps;
    }

    List<Json> json() {
        return json;
    }

    List<Flight> flights() {
        return flights;
    }

    List<Collections> gcLogs() {
        return gcLogs;
    }

    List<Access> accessLogs() {
        return accessLogs;
    }

    List<Cpu> threadCpu() {
        return threadCpu;
    }

    /// Notes on the reading, for the reader of the result.
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (dumpsLeftOut > 0) {
            all.add(
                    dumpsLeftOut
                            + " thread dumps are not read: the others have "
                            + MAX_THREADS
                            + " threads");
        }
        return all;
    }

    boolean isEmpty() {
        return dumps.isEmpty() && json.isEmpty() && flights.isEmpty() && gcLogs.isEmpty();
    }

    /// All files with usable contents, in the order of their kinds.
    ///
    /// @param time of a thread dump
    List<SourceFile> files(Function<RecordedDump, Optional<Instant>> time) {
        List<SourceFile> all = new ArrayList<>();
        dumps.stream()
                .map(RecordedDump::file)
                .distinct()
                .forEach(f -> {
                    List<RecordedDump> of = dumps.stream().filter(d -> d.file().equals(f)).toList();
                    all.add(
                            new SourceFile(
                                    f,
                                    Kind.THREAD_DUMPS,
                                    time.apply(of.getFirst()),
                                    time.apply(of.getLast()),
                                    of.size(),
                                    false));
                });
        json.forEach(j ->
                all.add(
                        new SourceFile(
                                j.file(),
                                Kind.THREAD_DUMP_JSON,
                                j.dump().at(),
                                j.dump().at(),
                                1,
                                false)));
        flights.forEach(
                f -> all.add(file(f.file(), Kind.FLIGHT_RECORDING, f.span(), f.jvm().events())));
        gcLogs.forEach(
                g -> all.add(file(g.file(), Kind.GC_LOG, g.events().span(), g.events().count())));
        accessLogs.forEach(
                a -> all.add(file(a.file(), Kind.ACCESS_LOG, a.times().span(), a.times().lines())));
        threadCpu.forEach(c ->
                all.add(file(c.file(), Kind.THREAD_CPU, Optional.empty(), c.text().reports())));
        return all;
    }

    private static SourceFile file(String name, Kind kind, Optional<TimeSpan> span, long records) {
        return new SourceFile(
                name, kind, span.map(TimeSpan::from), span.map(TimeSpan::to), records, false);
    }
}
