import java.io.ByteArrayOutputStream;

/** Makes the whole reply in one growing buffer. */
class BufferSize {
    private static final byte[] ROW = new byte[10_000];

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int i = 0; i < 300; i++) {
                out.write(ROW);
            }
            return "bytes " + out.toByteArray().length;
        });
    }
}
