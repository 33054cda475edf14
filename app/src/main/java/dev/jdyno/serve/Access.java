package dev.jdyno.serve;

import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.SameSite;
import io.javalin.http.UnauthorizedResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/// Who may read. On the loopback device anybody of this machine, by a name of it: a page elsewhere
/// that points a name of its own at 127.0.0.1 gets nothing. Beyond it, whoever has the token, as
/// `Authorization: Bearer`, or once as `?token=`, which becomes a cookie.
///
/// @param token empty: the loopback device needs none
record Access(String host, Optional<String> token) {
    private static final String COOKIE = "jdyno-token";
    private static final String BEARER = "Bearer ";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    void check(Context request) {
        if (token.isEmpty()) {
            String name = String.valueOf(request.host()).replaceFirst(":\\d+$", "");
            if (!LOOPBACK.contains(name) && !name.equals(inUrl(host))) {
                throw new ForbiddenResponse("this name is not served");
            }
            return;
        }
        String wanted = token.get();
        Optional<String> asked = Optional.ofNullable(request.queryParam("token"));
        if (asked.filter(t -> same(t, wanted)).isPresent()) {
            var cookie = new Cookie(COOKIE, wanted);
            cookie.setHttpOnly(true);
            cookie.setSameSite(SameSite.STRICT);
            request.cookie(cookie);
            request.redirect(request.path());
            request.skipRemainingHandlers();
            return;
        }
        boolean known =
                Optional.ofNullable(request.cookie(COOKIE)).filter(t -> same(t, wanted)).isPresent()
                        || Optional.ofNullable(request.header("Authorization"))
                                .filter(h -> h.startsWith(BEARER))
                                .filter(h -> same(h.substring(BEARER.length()), wanted))
                                .isPresent();
        if (!known) {
            throw new UnauthorizedResponse(
                    "give the token: Authorization: Bearer TOKEN, or ?token=");
        }
    }

    /// An IPv6 address in the brackets that URLs have around it.
    static String inUrl(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /// In the same time however many letters agree.
    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
