package dev.jdyno.lab.page;

import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.service.RawPage;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// `/body?as=bytes&text=latin`: 94 KiB of UTF-8 per text, written in one of three ways that give
/// the same bytes (E14).
final class BodyPage implements RawPage {
    /// Size of every body.
    static final int BYTES = 94 * 1024;

    /// The way in which the body is written to the response.
    enum As {
        /// Writes a String through the Writer of the response, which encodes it.
        WRITER,
        /// Encodes a whole String, then writes its bytes.
        ENCODE,
        /// Writes bytes that were encoded once, when the service started.
        BYTES
    }

    enum Text {
        /// Text with one byte per character, in memory and in UTF-8.
        ASCII("<p>A cafe near the church, please: three floors, paid for already.</p>\n"),
        /// Text with one byte per character in memory. About every fifteenth character needs two
        /// bytes in UTF-8.
        LATIN("<p>Un café près de l'église, s'il vous plaît: trois étages, déjà payé.</p>\n"),
        /// Two bytes per character in memory and three in UTF-8.
        CHINESE("<p>商品详情：本店所有商品均为正品，支持七天无理由退货，欢迎选购。</p>\n");

        private final String line;

        Text(String line) {
            this.line = line;
        }
    }

    private static final class Body {
        private final String text;
        private final byte[] encoded;

        private Body(String line) {
            this.text = filled(line);
            this.encoded = text.getBytes(StandardCharsets.UTF_8);
        }
    }

    private final Map<Text, Body> bodies = new EnumMap<>(Text.class);

    BodyPage() {
        for (Text text : Text.values()) {
            bodies.put(text, new Body(text.line));
        }
    }

    @Override
    public void answer(Query query, HttpServletResponse response) throws IOException {
        As as = query.choice("as", As.WRITER);
        Body body = Objects.requireNonNull(bodies.get(query.choice("text", Text.LATIN)));
        response.setContentType("text/html;charset=UTF-8");
        response.setContentLength(BYTES);
        switch (as) {
            case WRITER -> response.getWriter().write(body.text);
            case ENCODE ->
                    response.getOutputStream().write(body.text.getBytes(StandardCharsets.UTF_8));
            case BYTES -> response.getOutputStream().write(body.encoded);
        }
    }

    /// Repeats the line as often as the length allows, then adds spaces.
    private static String filled(String line) {
        int bytes = line.getBytes(StandardCharsets.UTF_8).length;
        int lines = BYTES / bytes;
        return line.repeat(lines) + " ".repeat(BYTES - lines * bytes);
    }
}
