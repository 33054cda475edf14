import groovy.lang.GroovyShell;

/** Compiles its Groovy script in each request. */
class ScriptKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            return "is "
                    + new GroovyShell().evaluate("def sum = 0; (1..10).each { sum += it }; sum");
        });
    }
}
