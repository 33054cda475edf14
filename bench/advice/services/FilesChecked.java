import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens a file that is not there in each request. */
class FilesChecked {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int none = 0;
            for (int i = 0; i < 300; i++) {
                try {
                    Files.readString(Path.of("/usr/share/templates/page" + i + ".html"));
                } catch (NoSuchFileException e) {
                    none++;
                }
            }
            return "none " + none;
        });
    }
}
