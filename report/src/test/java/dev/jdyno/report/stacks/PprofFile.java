package dev.jdyno.report.stacks;

import com.google.protobuf.CodedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// Reads a pprof file by the field numbers of `profile.proto`, independently of the writer.
///
/// @param types `type/unit` of each value of a sample
/// @param stacks sum of the first values by stack, outermost frame first
record PprofFile(
        List<String> types,
        String defaultType,
        Map<List<String>, Long> stacks,
        long sumOfSecondValues,
        long timeNanos,
        List<String> comments) {

    /// The fields of one message by number. Numbers are `Long`, all other values `byte[]`.
    private record Message(Map<Integer, List<Object>> fields) {
        static Message of(Object bytes) {
            try {
                Map<Integer, List<Object>> fields = new HashMap<>();
                CodedInputStream in = CodedInputStream.newInstance((byte[]) bytes);
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    Object value =
                            switch (tag & 7) {
                                case 0 -> in.readInt64();
                                case 2 -> in.readByteArray();
                                default -> throw new IOException("wire type " + (tag & 7));
                            };
                    fields.computeIfAbsent(tag >>> 3, _ -> new ArrayList<>()).add(value);
                }
                return new Message(fields);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        List<Message> messages(int field) {
            return fields.getOrDefault(field, List.of()).stream().map(Message::of).toList();
        }

        List<Long> numbers(int field) {
            return fields.getOrDefault(field, List.of()).stream().map(v -> (Long) v).toList();
        }

        long number(int field) {
            return numbers(field).getFirst();
        }
    }

    static PprofFile read(byte[] packed) throws IOException {
        Message file;
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            file = Message.of(gzip.readAllBytes());
        }
        List<String> strings =
                Objects.requireNonNull(file.fields().get(6), "no strings").stream()
                        .map(s -> new String((byte[]) s, StandardCharsets.UTF_8))
                        .toList();
        if (!strings.getFirst().isEmpty()) {
            throw new AssertionError("the first string is not empty");
        }
        Map<Long, String> functions = new HashMap<>();
        for (Message function : file.messages(5)) {
            functions.put(function.number(1), strings.get((int) function.number(2)));
        }
        Map<Long, String> locations = new HashMap<>();
        for (Message location : file.messages(4)) {
            Message line = location.messages(4).getFirst();
            locations.put(location.number(1), functions.get(line.number(1)));
        }
        Map<List<String>, Long> stacks = new HashMap<>();
        long second = 0;
        for (Message sample : file.messages(2)) {
            List<String> frames = new ArrayList<>();
            for (long id : sample.numbers(1).reversed()) {
                frames.add(locations.get(id));
            }
            stacks.merge(frames, sample.number(2), Long::sum);
            second += sample.numbers(2).size() > 1 ? sample.numbers(2).get(1) : 0;
        }
        return new PprofFile(
                file.messages(1).stream()
                        .map(t ->
                                strings.get((int) t.number(1))
                                        + "/"
                                        + strings.get((int) t.number(2)))
                        .toList(),
                strings.get((int) file.number(14)),
                stacks,
                second,
                file.number(9),
                file.numbers(13).stream().map(i -> strings.get(i.intValue())).toList());
    }
}
