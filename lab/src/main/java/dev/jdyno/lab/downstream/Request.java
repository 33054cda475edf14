package dev.jdyno.lab.downstream;

import java.util.Locale;

/// One parsed request.
///
/// @param status status of the answer
/// @param delayNanos time until the answer
/// @param bodyBytes length of the answer's body
/// @param keepAlive whether the connection stays open after the answer
record Request(int status, long delayNanos, int bodyBytes, boolean keepAlive) {
    static final Request NONE = new Request(400, 0, 0, false);

    /// Maximum delay, so that a typing error cannot occupy a slot indefinitely.
    private static final double DELAY_MAX_MILLIS = 60_000;

    private static final int BODY_MAX = 1 << 30;

    private static final int BODY_UNSET = 3;

    /// Parses a request head: `GET /wait?ms=80&bytes=100 HTTP/1.1` and its header lines.
    static Request parse(String head) {
        String[] line = head.substring(0, head.indexOf('\r')).split(" ", 3);
        if (line.length != 3 || !line[0].equals("GET")) {
            return NONE;
        }
        boolean keepAlive = keepsAlive(line[2], head.toLowerCase(Locale.ROOT));
        if (!line[1].startsWith("/wait")) {
            return new Request(404, 0, 0, keepAlive);
        }
        try {
            double millis = parameter(line[1], "ms", 0);
            double bytes = parameter(line[1], "bytes", BODY_UNSET);
            if (!(millis >= 0 && millis <= DELAY_MAX_MILLIS && bytes >= 0 && bytes <= BODY_MAX)) {
                return new Request(400, 0, 0, keepAlive);
            }
            return new Request(200, (long) (millis * 1e6), (int) bytes, keepAlive);
        } catch (NumberFormatException e) {
            return new Request(400, 0, 0, keepAlive);
        }
    }

    String answerHead() {
        String reason =
                switch (status) {
                    case 200 -> "OK";
                    case 404 -> "Not Found";
                    default -> "Bad Request";
                };
        return "HTTP/1.1 "
                + status
                + " "
                + reason
                + "\r\nContent-Type: application/octet-stream\r\nContent-Length: "
                + bodyBytes
                + (keepAlive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
    }

    private static boolean keepsAlive(String version, String lowerHead) {
        return version.equals("HTTP/1.1")
                ? !lowerHead.contains("\r\nconnection: close")
                : lowerHead.contains("\r\nconnection: keep-alive");
    }

    private static double parameter(String target, String name, double unset) {
        int query = target.indexOf('?');
        if (query < 0) {
            return unset;
        }
        for (String pair : target.substring(query + 1).split("&")) {
            if (pair.startsWith(name + "=")) {
                return Double.parseDouble(pair.substring(name.length() + 1));
            }
        }
        return unset;
    }
}
