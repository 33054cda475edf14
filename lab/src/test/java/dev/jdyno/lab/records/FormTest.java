package dev.jdyno.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.jdyno.lab.service.ProcessOf;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FormTest {
    private static final List<UserRecord> USERS =
            LongStream.range(0, 50).mapToObj(UserRecord::of).toList();

    @ParameterizedTest
    @EnumSource(Form.class)
    void writtenRecordsAreReadBackUnchanged(Form form) throws IOException {
        assertThat(form.decode(form.encode(USERS))).isEqualTo(USERS);
    }

    @Test
    void protobufWritesSpecifiedFormat() throws IOException {
        byte[] bytes = ProtobufForm.encode(UserRecord.of(3));

        // field 1 is a varint of 3, field 2 a text of 13 bytes
        assertThat(bytes).startsWith(0x08, 3, 0x12, 13, 'u', 's', 'e', 'r');
        // field 4 has two characters of three bytes each
        assertThat(bytes).containsSequence(0x22, 6);
        assertThat(bytes.length).isLessThan(JavaForm.encode(UserRecord.of(3)).length / 3);
    }

    @Test
    void truncatedBytesAreRefused() throws IOException {
        byte[] bytes = ProtobufForm.encode(UserRecord.of(3));

        Assertions.assertThatThrownBy(
                        () -> ProtobufForm.decode(Arrays.copyOf(bytes, bytes.length - 2)))
                .isInstanceOf(InvalidProtocolBufferException.class);
    }

    @Test
    void printsALineForEachForm() throws IOException, InterruptedException {
        Process process =
                ProcessOf.plain(Records.class, "--users", "200", "--warm-ups", "0").start();
        List<String> lines = process.inputReader().lines().toList();

        assertThat(process.waitFor()).isZero();
        assertThat(lines).hasSize(Form.values().length);
        assertThat(lines.get(0)).startsWith("{\"form\":\"java\",\"users\":200,\"bytes\":");
    }
}
