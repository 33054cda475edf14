package dev.jdyno.cluster.key;

import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// A key pair of this process, and the file that stores it: PKCS #8 in PEM, mode 0600, as written
/// by `openssl genpkey -algorithm ed25519`.
public final class OwnKey {
    private static final String ALGORITHM = "Ed25519";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int MAX_BYTES = 4096;
    private static final int LINE = 64;

    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.complementOf(
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));

    private final KeyPair pair;

    private OwnKey(KeyPair pair) {
        this.pair = pair;
    }

    public KeyPair pair() {
        return pair;
    }

    public PeerKey open() {
        return PeerKey.of(pair.getPublic());
    }

    /// The key pair of a seed (RFC 8032, 5.1.5). In the JDK, the only way to the public key is to
    /// generate a pair from a source of random bytes that returns the seed.
    public static KeyPair pair(byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new Drawn(seed));
        KeyPair pair = generator.generateKeyPair();
        byte[] drawn = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
        if (!Arrays.equals(drawn, seed)) {
            throw new GeneralSecurityException("this JVM makes keys in another way");
        }
        return pair;
    }

    private static final class Drawn extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        Drawn(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /// A new key pair that is not stored in a file.
    public static OwnKey generate() {
        try {
            return new OwnKey(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no Ed25519", e);
        }
    }

    /// Creates a key pair and writes it. A missing folder is created, for its owner only.
    ///
    /// @throws UserError if the file exists already, or cannot be written
    public static OwnKey make(Path file) {
        return makeNew(file)
                .orElseThrow(() ->
                        UserError.usage(
                                file + " is there already",
                                "agents that trust this key would refuse a new one",
                                "name another file, or remove this one"));
    }

    /// @return empty if the file exists already, perhaps created a moment ago
    private static Optional<OwnKey> makeNew(Path file) {
        OwnKey key = generate();
        try {
            folderOf(file);
            PrivateFiles.writeNew(file, key.pem());
            return Optional.of(key);
        } catch (FileAlreadyExistsException there) {
            return Optional.empty();
        } catch (IOException e) {
            throw UserError.usage("cannot write the key " + file, e.toString(), "name another file")
                    .causedBy(e);
        }
    }

    /// Creates the folder of a file, for its owner only, if it is missing.
    static void folderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Path _ =
                    Files.createDirectories(
                            folder,
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
        }
    }

    /// The private key as the PEM text of a key file. It is a secret.
    public String pem() {
        String text =
                Base64.getMimeEncoder(LINE, new byte[] {'\n'})
                        .encodeToString(pair.getPrivate().getEncoded());
        return BEGIN + "\n" + text + "\n" + END + "\n";
    }

    /// Reads a key. Its group may read the file only if a container platform has mounted it ({@link
    /// SecretRights#mistakeOfMounted}).
    ///
    /// @throws UserError if it cannot be read, holds no key, or other users can read or write it
    public static OwnKey read(Path file) {
        try {
            // not by its file store: a root that is not a mount point has none
            PosixFileAttributeView rights =
                    Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (rights != null
                    && rights.readAttributes().permissions().stream().anyMatch(OTHERS::contains)) {
                Optional<String> mistake =
                        SecretRights.mistakeOfMounted(file, SecretRights.Reader.self());
                if (mistake.isPresent()) {
                    throw bad(file, mistake.get(), "chmod 600 " + file);
                }
            }
            byte[] bytes = PrivateFiles.read(file, MAX_BYTES);
            return new OwnKey(parse(new String(bytes, StandardCharsets.US_ASCII).strip()));
        } catch (NotTrusted other) {
            throw bad(file, "it " + other.why(), "give one that only you can read and write")
                    .causedBy(other);
        } catch (IOException e) {
            throw bad(file, e.toString(), "make one with: jdyno agents key " + file).causedBy(e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw bad(
                            file,
                            "it holds no private key of Ed25519",
                            "make one with: jdyno agents key FILE")
                    .causedBy(e);
        }
    }

    /// True if a file looks like a key, and not like a token.
    public static boolean isIn(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(BEGIN.length()), StandardCharsets.US_ASCII)
                    .equals(BEGIN);
        } catch (IOException unreadable) {
            return false; // reading it reports why
        }
    }

    private static UserError bad(Path file, String why, String fix) {
        return UserError.usage("cannot use the key " + file, why, fix);
    }

    private static KeyPair parse(String pem) throws GeneralSecurityException {
        if (!pem.startsWith(BEGIN) || !pem.endsWith(END)) {
            throw new GeneralSecurityException("no PEM");
        }
        byte[] encoded =
                Base64.getMimeDecoder()
                        .decode(pem.substring(BEGIN.length(), pem.length() - END.length()));
        PrivateKey key =
                KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        return pair(((EdECPrivateKey) key).getBytes().orElseThrow());
    }

    /// Reads the key pair of the file, or creates and stores a new one. Processes that do so at the
    /// same time get the same one.
    public static OwnKey readOrMake(Path file) {
        return Files.exists(file) ? read(file) : makeNew(file).orElseGet(() -> read(file));
    }

    @Override
    public String toString() {
        return "OwnKey[" + open().fingerprint() + "]";
    }
}
