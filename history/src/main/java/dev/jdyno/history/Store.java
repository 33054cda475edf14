package dev.jdyno.history;

import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/// The place where results are stored.
public sealed interface Store {
    /// Name of the URL parameter for the user, as the driver defines it.
    String USER = "user";

    /// Name of the URL parameter for the user's password.
    String PASSWORD = "password";

    /// URL parameters that set their own rule for certificates.
    Set<String> TLS = Set.of("ssl", "sslmode", "sslfactory");

    /// URL parameter that names trusted root certificates.
    String OWN_ROOTS = "sslrootcert=";

    /// An SQLite file on this machine.
    record File(Path path) implements Store {}

    /// A PostgreSQL database that a team shares.
    ///
    /// @param url without user and password
    /// @param user empty: chosen by the driver
    /// @param password empty: from `~/.pgpass`
    /// @param verified whether the server must prove its name by a certificate: it is on another
    ///   host, and the URL sets no other rule
    record Server(String url, Optional<String> user, Optional<String> password, boolean verified)
            implements Store {
        // default file of trusted roots of the driver and of psql
        private static final Path ROOTS = Path.of(".postgresql", "root.crt");

        /// Returns the URL, without the password.
        @Override
        public String toString() {
            return url;
        }

        Properties properties() {
            var properties = new Properties();
            user.ifPresent(u -> properties.setProperty(USER, u));
            password.ifPresent(p -> properties.setProperty(PASSWORD, p));
            if (verified) {
                // the driver's default accepts any certificate, and plain text without one
                properties.setProperty("sslmode", "verify-full");
                if (!url.contains(OWN_ROOTS) && !Files.exists(home().resolve(ROOTS))) {
                    properties.setProperty(
                            "sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
                }
            }
            return properties;
        }

        private static Path home() {
            return Path.of(System.getProperty("user.home"));
        }
    }

    /// @param text a path, or `postgresql://[user[:password]@]host[:port]/database`, with or
    ///   without `jdbc:` before it
    /// @param password used if the URL has none
    /// @throws UserError of kind usage if it is neither
    static Store parse(String text, Optional<String> password) {
        String plain = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
        if (plain.startsWith("postgresql://") || plain.startsWith("postgres://")) {
            return server(plain, password);
        }
        if (text.startsWith("jdbc:") || text.matches("[a-z+]+://.*")) {
            throw notAStore(text, "only PostgreSQL has a URL");
        }
        try {
            return new File(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException noPath) {
            throw notAStore(text, String.valueOf(noPath.getMessage())).causedBy(noPath);
        }
    }

    private static UserError notAStore(String text, String why) {
        return UserError.usage(
                "--store " + text + " is no place for results",
                why,
                "give a file, or postgresql://user@host/database");
    }

    private static Store server(String text, Optional<String> otherwise) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
                throw notAStore(text, "it names no host or no database");
            }
            String user = Optional.ofNullable(uri.getUserInfo()).orElse("");
            int colon = user.indexOf(':');
            List<String> query = terms(uri);
            List<String> shown =
                    query.stream()
                            .filter(t -> !USER.equals(name(t)) && !PASSWORD.equals(name(t)))
                            .toList();
            return new Server(
                    "jdbc:postgresql://"
                            + uri.getHost()
                            + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                            + uri.getRawPath()
                            + (shown.isEmpty() ? "" : "?" + String.join("&", shown)),
                    Optional.of(colon < 0 ? user : user.substring(0, colon))
                            .filter(u -> !u.isEmpty())
                            .or(() -> value(query, USER)),
                    (colon < 0 ? value(query, PASSWORD) : Optional.of(user.substring(colon + 1)))
                            .or(() -> otherwise),
                    !isLoopback(uri.getHost())
                            && query.stream().map(Store::name).noneMatch(TLS::contains));
        } catch (URISyntaxException noUrl) {
            throw notAStore(text, String.valueOf(noUrl.getReason())).causedBy(noUrl);
        }
    }

    private static List<String> terms(URI uri) {
        return uri.getRawQuery() == null ? List.of() : List.of(uri.getRawQuery().split("&"));
    }

    private static String name(String term) {
        int equals = term.indexOf('=');
        return equals < 0 ? term : term.substring(0, equals);
    }

    private static Optional<String> value(List<String> query, String name) {
        return query.stream()
                .filter(t -> t.startsWith(name + "="))
                .map(t -> URLDecoder.decode(t.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst();
    }

    /// Decides by the text of the host, because a name may resolve differently when connecting.
    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.matches("127(?:\\.\\d{1,3}){3}")
                || host.equals("[::1]")
                || host.equals("[0:0:0:0:0:0:0:1]");
    }
}
