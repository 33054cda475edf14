package dev.jdyno.history;

import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/// Where results are kept.
public sealed interface Store {
    /// An SQLite file of this machine.
    record File(Path path) implements Store {}

    /// A PostgreSQL database that a team shares.
    ///
    /// @param url without user and password
    /// @param user empty: the driver's own rules
    /// @param password empty: from `~/.pgpass`
    record Server(String url, Optional<String> user, Optional<String> password) implements Store {
        /// The password is not in it.
        @Override
        public String toString() {
            return url;
        }

        Properties properties() {
            var properties = new Properties();
            user.ifPresent(u -> properties.setProperty("user", u));
            password.ifPresent(p -> properties.setProperty("password", p));
            return properties;
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
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return new Server(
                    "jdbc:postgresql://"
                            + uri.getHost()
                            + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                            + uri.getRawPath()
                            + query,
                    Optional.of(colon < 0 ? user : user.substring(0, colon))
                            .filter(u -> !u.isEmpty()),
                    colon < 0 ? otherwise : Optional.of(user.substring(colon + 1)));
        } catch (URISyntaxException noUrl) {
            throw notAStore(text, String.valueOf(noUrl.getReason())).causedBy(noUrl);
        }
    }
}
