import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file byte by byte. */
class BytesOneByOne {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("bytes-one-by-one", ".txt");
        file.toFile().deleteOnExit();
        Files.writeString(file, "x".repeat(2_000));
        Serve.with(() -> {
            int sum = 0;
            try (InputStream in = new FileInputStream(file.toFile())) {
                for (int b = in.read(); b >= 0; b = in.read()) {
                    sum += b;
                }
            }
            return "sum " + sum;
        });
    }
}
