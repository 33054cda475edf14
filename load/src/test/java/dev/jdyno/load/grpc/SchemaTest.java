package dev.jdyno.load.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
    private final Schema schema = Shop.schema();

    /// The fields of a message, parsed without its types.
    private UnknownFieldSet fields(String json) throws InvalidProtocolBufferException {
        return UnknownFieldSet.parseFrom(schema.message(Shop.PRICE, json));
    }

    @Test
    void jsonBecomesTheBytesOfItsMessage() throws InvalidProtocolBufferException {
        UnknownFieldSet fields =
                fields(
                        """
                        {"id": "12", "items": [1, "-2"], "color": "GREEN", "flag": true,
                         "at": "1970-01-01T00:00:02Z", "counts": {"a": 3},
                         "bigOne": "18446744073709551615", "raw": "AQI=", "inner": {"id": 1}}
                        """);

        assertThat(fields.getField(1).getVarintList()).containsExactly(12L);
        assertThat(fields.getField(4).getVarintList()).containsExactly(1L);
        assertThat(fields.getField(7).getVarintList()).containsExactly(-1L);
        assertThat(fields.getField(8).getLengthDelimitedList().getFirst().toByteArray())
                .containsExactly(1, 2);
        assertThat(fields.getField(5).getLengthDelimitedList().getFirst().toByteArray())
                .containsExactly(8, 2);
        assertThat(fields.getField(6).getLengthDelimitedList()).hasSize(1);
        assertThat(fields.getField(9).getLengthDelimitedList().getFirst().toByteArray())
                .containsExactly(8, 1);
    }

    @Test
    void anEmptyTextIsAMessageWithoutFields() {
        assertThat(schema.message(Shop.PRICE, "")).isEmpty();
        assertThat(schema.message("shop.Prices/price", "{}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"idd\": 1} | 'id'",
                "{\"big_on\": 1} | 'bigOne'",
                "{\"color\": \"GREN\"} | 'GREEN'",
                "{\"inner\": {\"inner\": {\"nam\": 1}}} | /inner/inner",
                "{\"items\": [1, \"x\"]} | /items/1",
                "{\"id\": 3000000000} | 2147483647",
                "{\"id\": 1.5} | whole number",
                "{\"bigOne\": 1e999999999} | 18446744073709551615",
                "{\"bigOne\": -1} | 18446744073709551615",
                "{\"id\": 1e-999999999} | whole number",
                "{\"name\": 1} | in quotes",
                "{\"at\": \"yesterday\"} | 2026-01-31",
                "{\"raw\": \"*\"} | base64",
                "[] | shop.PriceRequest",
                "{\"id\": 1} x | JSON",
                "{\"id\" | JSON"
            })
    void reportsPlaceAndValueOfJsonMistake(String json, String said) {
        assertThatThrownBy(() -> schema.message(Shop.PRICE, json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/shop.Prices/pric | 'price'",
                "/shop.Price/price | 'shop.Prices'",
                "/ | shop.Prices/price",
                "/shop.Prices/put | several"
            })
    void listsMethodsAfterUnknownMethod(String path, String said) {
        assertThatThrownBy(() -> schema.message(path, "{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @Test
    void depthOfNestedMessagesIsLimited() {
        String deep = "{\"inner\":".repeat(200) + "{}" + "}".repeat(200);

        assertThatThrownBy(() -> schema.message(Shop.PRICE, deep))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void jsonOfAReplyIncludesZeroValues() {
        assertThat(schema.json(Shop.PRICE, new byte[] {8, 7}))
                .isEqualTo("{\"id\":7,\"price\":0.0,\"note\":\"\"}");
    }

    @Test
    void namesMissingImport() {
        byte[] set = FileDescriptorSet.newBuilder().addFile(Shop.FILE).build().toByteArray();

        assertThatThrownBy(() -> Schema.of(set))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("google/protobuf/timestamp.proto")
                .hasMessageContaining("--include_imports");
    }

    @Test
    void filesThatImportEachOtherAreRefused() {
        FileDescriptorSet circle =
                FileDescriptorSet.newBuilder()
                        .addFile(FileDescriptorProto.newBuilder().setName("a").addDependency("b"))
                        .addFile(FileDescriptorProto.newBuilder().setName("b").addDependency("a"))
                        .build();

        assertThatThrownBy(() -> Schema.of(circle.toByteArray()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void descriptorsWithBrokenBytesAreReadOrRefused(long seed) {
        var random = new Random(seed);
        byte[] whole = Shop.SET.toByteArray();
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            byte[] broken = whole.clone();
            for (int n = random.nextInt(1, 5); n > 0; n--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(Schema.of(broken).services()).isNotNull();
            } catch (IllegalArgumentException expected) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void repliesWithAnyBytesAreReadOrRefused(long seed) {
        var random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            byte[] reply = new byte[random.nextInt(40)];
            random.nextBytes(reply);
            try {
                assertThat(schema.json(Shop.PRICE, reply)).startsWith("{");
            } catch (IllegalArgumentException expected) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
