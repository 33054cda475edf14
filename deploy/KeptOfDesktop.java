import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;

/// Prints jlink's pattern of what the package leaves out of `java.desktop`.
///
/// Tomcat and H2, which the sample services use, need `java.beans`, and that is in the module of
/// AWT and Swing. All of it would make the archive 6.5 MB larger. The JVM wants no package of a
/// module to be empty, so each keeps its smallest file.
public final class KeptOfDesktop {
    private static final String MODULE = "java.desktop";

    private KeptOfDesktop() {}

    public static void main(String[] args) {
        FileSystem runtime = FileSystems.getFileSystem(URI.create("jrt:/"));
        String smallest =
                ModuleFinder.ofSystem().find(MODULE).orElseThrow().descriptor().packages().stream()
                        .sorted()
                        .map(p -> runtime.getPath("/modules", MODULE, p.replace('.', '/')))
                        .map(KeptOfDesktop::smallest)
                        .map(f -> f.replace(".", "\\.").replace("$", "\\$"))
                        .collect(Collectors.joining("|"));
        System.out.print(
                "regex:/java\\.desktop/(?!module-info|java/beans/|com/sun/beans/|("
                        + smallest
                        + ")$).*");
    }

    private static String smallest(Path packageFolder) {
        try (var files = Files.list(packageFolder)) {
            Path file =
                    files.filter(Files::isRegularFile)
                            .min(
                                    Comparator.comparingLong(KeptOfDesktop::size)
                                            .thenComparing(Path::toString))
                            .orElseThrow();
            return file.subpath(2, file.getNameCount()).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
