import javax.crypto.Cipher;

/** Gets a cipher from its provider for each value. */
class ProvidersKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 1_000; i++) {
                sum += Cipher.getInstance("AES/GCM/NoPadding").getBlockSize();
            }
            return "sum " + sum;
        });
    }
}
