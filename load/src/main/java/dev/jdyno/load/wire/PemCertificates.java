package dev.jdyno.load.wire;

import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Reads the certificates of a PEM file, one or several, with any text between them.
final class PemCertificates {
    /// Maximum size of the file in bytes. A bundle of all public authorities has some 200 KiB.
    private static final int LONGEST = 4 << 20;

    private static final String PEM = "give a PEM file with -----BEGIN CERTIFICATE----- blocks";
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    private PemCertificates() {}

    /// @throws UserError of kind usage if the file cannot be read or contains no certificate
    static List<Certificate> read(Path file) {
        byte[] bytes = bytes(file);
        List<Certificate> found = new ArrayList<>();
        List<String> others = new ArrayList<>();
        List<String> lines = new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.startsWith(BEGIN) || !line.endsWith(DASHES)) {
                continue;
            }
            String label = line.substring(BEGIN.length(), line.length() - DASHES.length());
            int begin = i;
            var base64 = new StringBuilder();
            while (++i < lines.size() && !lines.get(i).strip().startsWith(DASHES)) {
                base64.append(lines.get(i).strip());
            }
            if (label.equals("CERTIFICATE") || label.equals("X509 CERTIFICATE")) {
                found.add(certificate(file, begin + 1, base64.toString()));
            } else {
                others.add(Excerpt.of(label));
            }
        }
        if (found.isEmpty()) {
            throw none(file, bytes, others);
        }
        return found;
    }

    private static byte[] bytes(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw cannot(file, "it is longer than 4 MiB", PEM);
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw cannot(file, "there is no such file", "check the path").causedBy(e);
        } catch (AccessDeniedException e) {
            throw cannot(file, "this user may not read it", "allow it with chmod").causedBy(e);
        } catch (IOException e) {
            String why =
                    Files.isDirectory(file) ? "it is a folder" : String.valueOf(e.getMessage());
            throw cannot(file, why, PEM).causedBy(e);
        }
    }

    private static Certificate certificate(Path file, int line, String base64) {
        try {
            byte[] der = Base64.getDecoder().decode(base64);
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(der));
        } catch (IllegalArgumentException | CertificateException e) {
            throw cannot(
                            file,
                            "the certificate that begins in line " + line + " is damaged",
                            "copy that certificate again, from BEGIN to END")
                    .causedBy(e);
        }
    }

    private static UserError none(Path file, byte[] bytes, List<String> others) {
        if (!others.isEmpty()) {
            return cannot(file, "it holds no certificate but: " + String.join(", ", others), PEM);
        }
        if (bytes.length == 0) {
            return cannot(file, "it is empty", PEM);
        }
        boolean der = bytes[0] == 0x30; // an ASN.1 SEQUENCE, as DER and PKCS#12 files begin
        return der
                ? cannot(
                        file,
                        "it is binary (DER or PKCS#12), not PEM",
                        "convert it: openssl x509 -inform der -in FILE -out ca.pem, or for PKCS#12"
                                + " openssl pkcs12 -nokeys -in FILE -out ca.pem")
                : cannot(file, "it holds no certificate", PEM);
    }

    private static UserError cannot(Path file, String why, String fix) {
        return UserError.usage("cannot read the certificates of " + file, why, fix);
    }
}
