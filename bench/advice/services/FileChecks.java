import java.nio.file.Files;
import java.nio.file.Path;

/** Asks the file system in each request whether its templates changed. */
class FileChecks {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int there = 0;
            for (int i = 0; i < 200; i++) {
                there += Files.exists(Path.of("/usr/share/templates/page" + i + ".html")) ? 1 : 0;
            }
            return "there " + there;
        });
    }
}
