package dev.jdyno.cluster.ssh;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The destination of an ssh login. Each part is a separate word on the command line of ssh, and
/// cannot be an option or text of a shell.
///
/// @param user blank for the default of ssh
/// @param host a name, an alias of the user's ssh configuration, or an address without brackets
/// @param port 0 for the default of ssh
record Login(String user, String host, int port) {
    private static final String USER = "[A-Za-z_][A-Za-z0-9._-]{0,31}";
    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9._-]{0,252}";
    private static final String IPV6 = "[0-9A-Fa-f:.]{2,45}";
    private static final int MAX_PORT = 65_535;

    // deploy@lg1:2222, lg1, [fd00::1]:22
    private static final Pattern FORM =
            Pattern.compile(
                    "(?:(?<user>"
                            + USER
                            + ")@)?(?:(?<name>"
                            + NAME
                            + ")|\\[(?<address>"
                            + IPV6
                            + ")])(?::(?<port>\\d{1,5}))?");

    Login {
        boolean known = user.isEmpty() || user.matches(USER);
        boolean place = host.matches(NAME) || (host.matches(IPV6) && host.contains(":"));
        if (!known || !place || port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("no user and host of ssh");
        }
    }

    /// @throws IllegalArgumentException if the text is not `[USER@]HOST[:PORT]`
    static Login parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not [USER@]HOST[:PORT]");
        }
        String user = form.group("user");
        String name = form.group("name");
        String port = form.group("port");
        int number = port == null ? 0 : Integer.parseInt(port);
        if (port != null && (number < 1 || number > MAX_PORT)) {
            throw new IllegalArgumentException(port + " is no port");
        }
        return new Login(
                user == null ? "" : user, name == null ? form.group("address") : name, number);
    }

    @Override
    public String toString() {
        String at = host.contains(":") ? "[" + host + "]" : host;
        return (user.isEmpty() ? "" : user + "@") + at + (port == 0 ? "" : ":" + port);
    }
}
