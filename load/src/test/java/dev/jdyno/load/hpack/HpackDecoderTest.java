package dev.jdyno.load.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of RFC 7541, appendix C, and invalid blocks.
class HpackDecoderTest {
    private final HpackDecoder decoder = new HpackDecoder();

    private List<String> decode(String hex) throws HpackMalformed {
        byte[] block = HexFormat.of().parseHex(hex.replace(" ", ""));
        List<String> fields = new ArrayList<>();
        decoder.decode(
                block,
                0,
                block.length,
                (n, name, nameLength, v, value, valueLength) ->
                        fields.add(text(n, name, nameLength) + ": " + text(v, value, valueLength)));
        return fields;
    }

    private static String text(byte[] b, int from, int length) {
        return new String(b, from, length, StandardCharsets.ISO_8859_1);
    }

    @Test
    void readsIndexedAndPlainLiterals() throws HpackMalformed {
        assertThat(decode("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"))
                .containsExactly("custom-key: custom-header");
        assertThat(decode("040c 2f73 616d 706c 652f 7061 7468 be"))
                .containsExactly(":path: /sample/path", "custom-key: custom-header");
    }

    @Test
    void readsRequestsWithHuffmanAndATableThatGrows() throws HpackMalformed {
        assertThat(decode("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"))
                .containsExactly(
                        ":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com");
        assertThat(decode("8286 84be 5886 a8eb 1064 9cbf"))
                .endsWith(":authority: www.example.com", "cache-control: no-cache");
        assertThat(decode("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"))
                .endsWith(
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value");
    }

    /// Example C.6 has a table of 256 bytes that evicts entries. The size change is prepended to
    /// the first block.
    @Test
    void readsRepliesWhileTheTableEvicts() throws HpackMalformed {
        assertThat(
                        decode(
                                "3fe101 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005"
                                        + "9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b"
                                        + "97c8 e9ae 82ae 43d3"))
                .containsExactly(
                        ":status: 302",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
        assertThat(decode("4883 640e ffc1 c0bf"))
                .containsExactly(
                        ":status: 307",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com");
        assertThat(
                        decode(
                                "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff"
                                        + "c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b"
                                        + "3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0"
                                        + "03ed 4ee5 b106 3d50 07"))
                .containsExactly(
                        ":status: 200",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:22 GMT",
                        "location: https://www.example.com",
                        "content-encoding: gzip",
                        "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    }

    /// The table reuses its memory, so its entries must survive being moved.
    @Test
    void fullTableKeepsNewestEntries() throws HpackMalformed {
        for (int i = 0; i < 2000; i++) {
            String value = Integer.toString(10_000 + i);
            String hex =
                    "40 01 61 05"
                            + HexFormat.of().formatHex(value.getBytes(StandardCharsets.US_ASCII));
            assertThat(decode(hex)).containsExactly("a: " + value);
            assertThat(decode("be")).containsExactly("a: " + value);
            if (i >= 100) {
                // 100 entries of 38 bytes fit into 4096. Index 62 + 99 is the oldest of them.
                assertThat(decode("ff22")).containsExactly("a: " + (10_000 + i - 99));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "80, entry 0",
        "be, entry 62 of 61",
        "4082 ff, string longer",
        "3fe2ff7f, larger than was allowed",
        "88 20, behind a field",
        "7fffffffffff, does not end",
        // '0' is 00000 in 5 bits, so the padding of three bits is not all ones
        "0081 00 00, padding",
        "0084 ffff ffff 00, end-of-string",
        "00, ends before a string",
    })
    void distinguishesKindsOfBrokenBlocks(String hex, String why) {
        assertThatThrownBy(() -> decode(hex))
                .isInstanceOf(HpackMalformed.class)
                .hasMessageContaining(why);
    }
}
