package dev.jdyno.cluster.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/// A public Ed25519 key. It is not secret.
///
/// @param text `ed25519:` and its 32 bytes in base64
public record PeerKey(String text) {
    private static final String PREFIX = "ed25519:";
    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9+/]{43}");

    public PeerKey {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no public key, ed25519:…");
        }
    }

    /// @throws IllegalArgumentException if it is of another algorithm
    public static PeerKey of(PublicKey key) {
        byte[] encoded = key.getEncoded();
        if (!(key instanceof EdECPublicKey ed)
                || !NamedParameterSpec.ED25519.getName().equals(ed.getParams().getName())) {
            throw new IllegalArgumentException("a key of " + key.getAlgorithm());
        }
        // the key itself is at the end of the form of RFC 8410
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
        return new PeerKey(PREFIX + Base64.getEncoder().withoutPadding().encodeToString(raw));
    }

    /// The fingerprint as `ssh` prints it, to be compared by eye.
    public String fingerprint() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(raw());
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private byte[] raw() {
        return Base64.getDecoder().decode(text.substring(PREFIX.length()));
    }

    @Override
    public String toString() {
        return text;
    }
}
