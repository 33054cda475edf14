import java.nio.file.spi.FileSystemProvider;
import java.util.ServiceLoader;

/** Looks a provider up in each request. */
class ServiceLoaderKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int found = 0;
            for (int i = 0; i < 3; i++) {
                for (FileSystemProvider p : ServiceLoader.load(FileSystemProvider.class)) {
                    found += p.getScheme().length();
                }
            }
            return "found " + found;
        });
    }
}
