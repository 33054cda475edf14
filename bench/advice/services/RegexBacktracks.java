import java.util.regex.Pattern;

/** A repetition inside of a repetition. */
class RegexBacktracks {
    private static final Pattern TEXT = Pattern.compile("((a|aa)+)+");

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "matches " + TEXT.matcher("aaaaaaaaaaaaaaaaaa!").matches();
        });
    }
}
