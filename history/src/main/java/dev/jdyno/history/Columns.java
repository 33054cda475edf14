package dev.jdyno.history;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import java.lang.reflect.RecordComponent;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.generic.GenericType;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.reflect.ColumnName;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jdbi.v3.core.statement.Update;

/// The columns of the table `run`, derived from the components of {@link Entry.Row}, and the
/// conversion of their values.
final class Columns implements JdbiPlugin {
    private static final List<Column> OF_RUN = of(Entry.Row.class, "").toList();

    /// @param value the placeholder in a statement: `environment.cores`
    private record Column(String name, String value) {}

    private static Stream<Column> of(Class<?> type, String path) {
        return Stream.of(type.getRecordComponents())
                .flatMap(c ->
                        c.getAccessor().isAnnotationPresent(Nested.class)
                                ? of(c.getType(), path + c.getName() + ".")
                                : Stream.of(new Column(name(c), path + c.getName())));
    }

    private static String name(RecordComponent component) {
        ColumnName given = component.getAccessor().getAnnotation(ColumnName.class);
        return given != null
                ? given.value()
                : component.getName().replaceAll("[A-Z]", "_$0").toLowerCase(Locale.ROOT);
    }

    /// Replaces `<columns>` and `<values>` in a statement by a whole row.
    static Update bind(Update insert, Entry.Row row) {
        return insert.defineList("columns", OF_RUN.stream().map(Column::name).toList())
                .defineList("values", OF_RUN.stream().map(c -> ":" + c.value()).toList())
                .bindMethods(row);
    }

    @Override
    public void customizeJdbi(Jdbi jdbi) {
        jdbi.registerRowMapper(ConstructorMapper.factory(Entry.Row.class));
        jdbi.registerArgument(new OfInstant());
        jdbi.registerArgument(new OfFlag());
        jdbi.registerArgument(new OfLines());
        jdbi.registerArgument(new OfKind());
        jdbi.registerArgument(new OfBottleneck());
        jdbi.registerColumnMapper(
                Instant.class, (row, at, _) -> Instant.ofEpochMilli(row.getLong(at)));
        jdbi.registerColumnMapper(boolean.class, (row, at, _) -> row.getInt(at) != 0);
        jdbi.registerColumnMapper(
                new GenericType<List<String>>() {},
                (row, at, _) -> row.getString(at).lines().toList());
        jdbi.registerColumnMapper(
                Kind.class,
                (row, at, _) -> {
                    String key = row.getString(at);
                    return Kind.of(key).orElseThrow(() -> ofANewer("verb", key));
                });
        jdbi.registerColumnMapper(
                new GenericType<Optional<Bottleneck>>() {},
                (row, at, _) -> Optional.ofNullable(row.getString(at)).map(Columns::bottleneck));
    }

    private static Bottleneck bottleneck(String key) {
        return Bottleneck.of(key).orElseThrow(() -> ofANewer("bottleneck", key));
    }

    private static UserError ofANewer(String what, String key) {
        return UserError.target(
                "the history has a result with the " + what + " " + key,
                "this jdyno knows no such name; a newer one stored the result",
                "update jdyno, or give --store another place");
    }

    /// Stored as milliseconds since 1970, UTC.
    private static final class OfInstant extends AbstractArgumentFactory<Instant> {
        private OfInstant() {
            super(Types.BIGINT);
        }

        @Override
        protected Argument build(Instant value, ConfigRegistry config) {
            return (position, statement, _) -> statement.setLong(position, value.toEpochMilli());
        }
    }

    /// Stored as 1 or 0, because SQLite has no boolean type.
    private static final class OfFlag extends AbstractArgumentFactory<Boolean> {
        private OfFlag() {
            super(Types.INTEGER);
        }

        @Override
        protected Argument build(Boolean value, ConfigRegistry config) {
            return (position, statement, _) -> statement.setInt(position, value ? 1 : 0);
        }
    }

    private static final class OfLines extends AbstractArgumentFactory<List<String>> {
        private OfLines() {
            super(Types.VARCHAR);
        }

        @Override
        protected Argument build(List<String> value, ConfigRegistry config) {
            return (position, statement, _) ->
                    statement.setString(position, String.join("\n", value));
        }
    }

    private static final class OfKind extends AbstractArgumentFactory<Kind> {
        private OfKind() {
            super(Types.VARCHAR);
        }

        @Override
        protected Argument build(Kind value, ConfigRegistry config) {
            return (position, statement, _) -> statement.setString(position, value.key());
        }
    }

    private static final class OfBottleneck extends AbstractArgumentFactory<Bottleneck> {
        private OfBottleneck() {
            super(Types.VARCHAR);
        }

        @Override
        protected Argument build(Bottleneck value, ConfigRegistry config) {
            return (position, statement, _) -> statement.setString(position, value.key());
        }
    }
}
