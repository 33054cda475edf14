import java.util.zip.Deflater;

/** A new Deflater for each short text. */
class ZipObjects {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            byte[] out = new byte[256];
            for (int i = 0; i < 50; i++) {
                Deflater deflater = new Deflater();
                deflater.setInput(new byte[] {1, 2, 3});
                deflater.finish();
                sum += deflater.deflate(out);
                deflater.end();
            }
            return "bytes " + sum;
        });
    }
}
