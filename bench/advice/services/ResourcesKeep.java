import java.io.InputStream;

/** Reads a resource of the class path in each request. */
class ResourcesKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int length = 0;
            for (int i = 0; i < 60; i++) {
                try (InputStream in =
                        ResourcesKeep.class.getClassLoader().getResourceAsStream("Serve.class")) {
                    length += in.readAllBytes().length;
                }
            }
            return "length " + length;
        });
    }
}
