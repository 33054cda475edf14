package dev.jdyno.serve;

import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.UnauthorizedResponse;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Decides which requests may read. Each request needs the token, as `Authorization: Bearer`, or
/// once as `?token=`. With `--open`, no request needs the token, but the `Host` must be a name of
/// the loopback device. So a foreign page whose own host name resolves to 127.0.0.1 cannot read.
///
/// A browser that gave `?token=` gets a cookie and is redirected to the same page below a secret
/// folder. Browsers send a cookie to all ports of a host, so the service under test would get it,
/// too. Therefore the cookie is not the token, and it is valid only below that folder, which cannot
/// be guessed. So the browser never sends the cookie to another port.
///
/// A reverse proxy may serve these pages below a path that this server does not know. So all
/// addresses are relative, including those of redirects. The cookie has no path attribute: a
/// browser then uses the folder of the address that set the cookie (RFC 6265, 5.1.4). Therefore
/// `?token=` redirects to the secret folder first, which sets the cookie. A second redirect leads
/// to the page.
///
/// @param keys the token and its derived values; empty: no token is needed
record Access(String host, Optional<Keys> keys) {
    private static final String COOKIE = "jdyno";
    private static final String BEARER = "Bearer ";
    private static final String TOKEN = "token";
    private static final String PAGE = "page";

    /// Characters of a path and a query as a browser sends them.
    private static final Pattern PLAIN = Pattern.compile("[!-~&&[^\\\\]]*");

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final String NOT_SERVED =
            "jdyno serve --open answers under the names 127.0.0.1, localhost and [::1] only, so that"
                    + " no foreign page can read results. Open one of these; or start jdyno serve"
                    + " without --open, and give the token: then every name is served. With --open,"
                    + " a proxy must replace the Host header by 127.0.0.1. Every client of the"
                    + " proxy can then read all results.";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 16;

    /// The token and the values that are derived from it.
    ///
    /// @param folder path of the secret folder, `/…`
    record Keys(String token, String folder, String cookie) {
        static Keys of(String token) {
            return new Keys(token, "/" + derived(token, "folder"), derived(token, "cookie"));
        }

        private static String derived(String token, String what) {
            try {
                var mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
                byte[] all =
                        mac.doFinal(("jdyno serve " + what).getBytes(StandardCharsets.US_ASCII));
                return HexFormat.of().formatHex(all, 0, RANDOM_BYTES);
            } catch (GeneralSecurityException missing) {
                throw new IllegalStateException("every JDK has HmacSHA256", missing);
            }
        }

        @Override
        public String toString() {
            return "Keys[…]";
        }
    }

    static Access of(String host, Optional<String> token) {
        return new Access(host, token.map(Keys::of));
    }

    /// A token of 128 bits.
    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    void check(Context request) {
        if (keys.isEmpty()) {
            String name = String.valueOf(request.host()).replaceFirst(":\\d+$", "");
            if (!LOOPBACK.contains(name) && !name.equals(inUrl(host))) {
                throw new ForbiddenResponse(NOT_SERVED);
            }
            return;
        }
        Keys wanted = keys.get();
        if (same(request.queryParam(TOKEN), wanted.token())) {
            toTheFolder(request, wanted);
            return;
        }
        boolean known =
                same(request.header("Authorization"), BEARER + wanted.token())
                        || (request.path().startsWith(wanted.folder() + "/")
                                && same(request.cookie(COOKIE), wanted.cookie()));
        if (!known) {
            request.header("Connection", "close");
            throw new UnauthorizedResponse(
                    "give the token: Authorization: Bearer TOKEN, or ?token=");
        }
    }

    /// Redirects a browser to the page below the secret folder.
    private static void toTheFolder(Context request, Keys keys) {
        String path = request.path();
        if (path.equals(keys.folder() + "/")) {
            request.header(
                    "Set-Cookie", COOKIE + "=" + keys.cookie() + "; HttpOnly; SameSite=Strict");
            request.redirect("./" + wanted(request));
        } else {
            String page =
                    path.startsWith(keys.folder() + "/")
                            ? path.substring(keys.folder().length())
                            : path;
            String query = withoutToken(request);
            String up = "../".repeat((int) path.chars().filter(c -> c == '/').count() - 1);
            request.redirect(
                    up
                            + keys.folder().substring(1)
                            + "/?"
                            + TOKEN
                            + "="
                            + encoded(keys.token())
                            + "&"
                            + PAGE
                            + "="
                            + encoded(page.substring(1) + (query.isEmpty() ? "" : "?" + query)));
        }
        request.skipRemainingHandlers();
    }

    /// The page that a browser asked for, relative to the secret folder.
    private static String wanted(Context request) {
        String page = Optional.ofNullable(request.queryParam(PAGE)).orElse("");
        if (!PLAIN.matcher(page).matches()) {
            throw new BadRequestResponse(PAGE + " is no address");
        }
        return page;
    }

    private static String withoutToken(Context request) {
        return Arrays.stream(Optional.ofNullable(request.queryString()).orElse("").split("&", -1))
                .filter(p -> !p.isEmpty() && !name(p).equals(TOKEN))
                .collect(Collectors.joining("&"));
    }

    /// The name of a parameter as {@link Context#queryParam} compares it.
    private static String name(String parameter) {
        String name = parameter.split("=", 2)[0];
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return name;
        }
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /// A link that includes the token.
    ///
    /// @param path below the root, without a slash at its start
    String link(String path) {
        return path
                + keys.map(k -> (path.contains("?") ? "&" : "?") + TOKEN + "=" + k.token())
                        .orElse("");
    }

    /// A host for a URL: an IPv6 address gets brackets.
    static String inUrl(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /// Compares two texts in a time that does not depend on the number of equal letters.
    private static boolean same(@Nullable String given, String wanted) {
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        wanted.getBytes(StandardCharsets.UTF_8));
    }
}
