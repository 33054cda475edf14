import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Checks the password in each request. */
class PasswordCost {
    private static final byte[] SALT = new byte[16];

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            PBEKeySpec spec = new PBEKeySpec("secret".toCharArray(), SALT, 5_000, 256);
            return "key "
                    + SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                            .generateSecret(spec)
                            .getEncoded()
                            .length;
        });
    }
}
