import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the same file in each request. */
class FileKeep {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("file-keep", ".txt");
        file.toFile().deleteOnExit();
        Files.writeString(file, "a line of the page ä\n".repeat(100));
        Serve.with(() -> {
            int length = 0;
            for (int i = 0; i < 40; i++) {
                length += Files.readString(file).length();
            }
            return "length " + length;
        });
    }
}
