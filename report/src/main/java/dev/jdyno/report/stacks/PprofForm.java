package dev.jdyno.report.stacks;

import com.google.protobuf.CodedOutputStream;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/// The file of pprof: a gzipped message `Profile` of `profile.proto`
/// (github.com/google/pprof/blob/main/proto/profile.proto, package `perftools.profiles`).
///
/// The values of a sample are its number of samples and, if the throughput is known, the
/// nanoseconds that a request spends there. Each frame is one function at one location.
final class PprofForm {
    /// Field numbers of `Profile`.
    private static final int SAMPLE_TYPE = 1;

    private static final int SAMPLE = 2;
    private static final int LOCATION = 4;
    private static final int FUNCTION = 5;
    private static final int STRING_TABLE = 6;
    private static final int TIME_NANOS = 9;
    private static final int COMMENT = 13;
    private static final int DEFAULT_SAMPLE_TYPE = 14;

    /// Field numbers of `ValueType`.
    private static final int TYPE = 1;

    private static final int UNIT = 2;

    /// Field numbers of `Sample`.
    private static final int LOCATION_ID = 1;

    private static final int VALUE = 2;

    /// Field numbers of `Location` and of its `Line`.
    private static final int LINE = 4;

    private static final int FUNCTION_ID = 1;

    /// Field numbers of `Location` and `Function`.
    private static final int ID = 1;

    /// Field number of `Function`. The field `system_name` stays empty. If it equalled the name,
    /// pprof would take the name for a mangled C++ name and change it.
    private static final int NAME = 2;

    private static final double NANOS_PER_MS = 1e6;

    /// The string table and the numbers of its entries. The first one is empty by the format.
    private final Map<String, Integer> strings = new LinkedHashMap<>(Map.of("", 0));

    /// The functions and their ids, from 1.
    private final Map<String, Integer> functions = new LinkedHashMap<>();

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    private PprofForm() {}

    /// Writes the fields of a message.
    @FunctionalInterface
    private interface Fields {
        void to(CodedOutputStream message) throws IOException;
    }

    static byte[] of(RunResult.About run, Profile profile) throws IOException {
        return new PprofForm().file(run, profile);
    }

    private byte[] file(RunResult.About run, Profile profile) throws IOException {
        boolean perRequest = profile.qps() > 0;
        valueType("samples", "count");
        if (perRequest) {
            valueType(profile.kind().key() + "_per_request", "nanoseconds");
        }
        out.writeInt64(DEFAULT_SAMPLE_TYPE, string("samples"));
        for (Stack stack : Stack.of(profile)) {
            message(out, SAMPLE, m -> sample(m, stack, profile, perRequest));
        }
        for (Map.Entry<String, Integer> function : functions.entrySet()) {
            function(function.getKey(), function.getValue());
        }
        out.writeInt64(TIME_NANOS, nanos(run.startedAt()));
        out.writeInt64(COMMENT, string("jdyno " + Printable.line(run.version())));
        out.writeInt64(COMMENT, string(Printable.line(run.name())));
        out.writeInt64(COMMENT, string(StackForm.title(profile)));
        for (String string : strings.keySet()) {
            out.writeString(STRING_TABLE, string);
        }
        out.flush();
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            bytes.writeTo(gzip);
        }
        return packed.toByteArray();
    }

    private void valueType(String type, String unit) throws IOException {
        message(
                out,
                SAMPLE_TYPE,
                m -> {
                    m.writeInt64(TYPE, string(type));
                    m.writeInt64(UNIT, string(unit));
                });
    }

    private void sample(CodedOutputStream m, Stack stack, Profile profile, boolean perRequest)
            throws IOException {
        List<String> innermostFirst = stack.frames().reversed();
        for (String frame : innermostFirst) {
            m.writeUInt64(LOCATION_ID, functions.computeIfAbsent(frame, _ -> functions.size() + 1));
        }
        m.writeInt64(VALUE, stack.samples());
        if (perRequest) {
            m.writeInt64(VALUE, Math.round(profile.perRequestMs(stack.samples()) * NANOS_PER_MS));
        }
    }

    /// The function, and its location of the same id.
    private void function(String name, int id) throws IOException {
        message(
                out,
                LOCATION,
                location -> {
                    location.writeUInt64(ID, id);
                    message(location, LINE, line -> line.writeUInt64(FUNCTION_ID, id));
                });
        message(
                out,
                FUNCTION,
                function -> {
                    function.writeUInt64(ID, id);
                    function.writeInt64(NAME, string(name));
                });
    }

    private int string(String text) {
        return strings.computeIfAbsent(text, _ -> strings.size());
    }

    private static long nanos(Instant at) {
        return Math.addExact(
                Math.multiplyExact(at.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), at.getNano());
    }

    private static void message(CodedOutputStream around, int field, Fields fields)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream message = CodedOutputStream.newInstance(bytes);
        fields.to(message);
        message.flush();
        around.writeByteArray(field, bytes.toByteArray());
    }
}
