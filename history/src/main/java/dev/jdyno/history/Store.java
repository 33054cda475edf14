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

/// Where results are kept.
public sealed interface Store {
    /// What a URL says of its user, as the driver names it.
    String USER = "user";

    /// The same of the user's password.
    String PASSWORD = "password";

    /// A URL with one of these has its own rule about certificates.
    Set<String> TLS = Set.of("ssl", "sslmode", "sslfactory");

    /// A URL with this one names whom to trust.
    String OWN_ROOTS = "sslrootcert=";

    /// An SQLite file of this machine.
    record File(Path path) implements Store {}

    /// A PostgreSQL database that a team shares.
    ///
    /// @param url without user and password
    /// @param user empty: the driver's own rules
    /// @param password empty: from `~/.pgpass`
    /// @param verified whether the server must prove its name by a certificate, for it is on
    ///   another host and the URL does not say otherwise
    record Server(String url, Optional<String> user, Optional<String> password, boolean verified)
            implements Store {
        // where the driver, and psql, look for whom to trust
        private static final Path ROOTS = Path.of(".postgresql", "root.crt");

        /// The password is not in it.
        @Override
        public String toString() {
            return url;
        }

        Properties properties() {
            var properties = new Properties();
            user.ifPresent(u -> properties.setProperty(USER, u));
            password.ifPresent(p -> properties.setProperty(PASSWORD, p));
            if (verified) {
                // the driver's own preset takes any certificate, and plain text where there is none
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
    /// @param password of a URL without one
    /// @throws UserError of kind usage when it is neither
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

    /// By its text: what a name resolves to may change between this question and the connection.
    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.matches("127(?:\\.\\d{1,3}){3}")
                || host.equals("[::1]")
                || host.equals("[0:0:0:0:0:0:0:1]");
    }
}
