import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;

/** Signs each reply with RSA. */
class KeySigning {
    public static void main(String[] args) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        Serve.with(() -> {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(new byte[100]);
            return "bytes " + signature.sign().length;
        });
    }
}
