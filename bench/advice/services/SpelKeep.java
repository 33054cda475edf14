import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Parses its SpEL expression in each request. */
class SpelKeep {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 500; i++) {
                sum += PARSER.parseExpression("'page'.length() + " + i).getValue(Integer.class);
            }
            return "sum " + sum;
        });
    }
}
