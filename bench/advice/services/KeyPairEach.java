import java.security.KeyPairGenerator;

/** Makes a key pair in each request. */
class KeyPairEach {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "key "
                    + KeyPairGenerator.getInstance("RSA")
                            .generateKeyPair()
                            .getPublic()
                            .getEncoded()
                            .length;
        });
    }
}
