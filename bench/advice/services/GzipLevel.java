import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Compresses its reply at the default level. */
class GzipLevel {
    private static final byte[] PAGE = page();

    static byte[] page() {
        Random random = new Random(1);
        StringBuilder page = new StringBuilder();
        while (page.length() < 60_000) {
            page.append("<td>").append(random.nextInt(10_000)).append("</td>");
        }
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * 1024);
            try (OutputStream out = new GZIPOutputStream(bytes)) {
                out.write(PAGE);
            }
            return "bytes " + bytes.size();
        });
    }
}
