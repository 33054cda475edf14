import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Opens a zip file in each request. */
class JarOpen {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("jar-open", ".zip");
        file.toFile().deleteOnExit();
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 2000; i++) {
                out.putNextEntry(new ZipEntry("entry" + i));
            }
        }
        Serve.with(() -> {
            int size = 0;
            for (int i = 0; i < 5; i++) {
                try (ZipFile zip = new ZipFile(file.toFile())) {
                    size += zip.size();
                }
            }
            return "entries " + size;
        });
    }
}
