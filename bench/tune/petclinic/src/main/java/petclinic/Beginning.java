package petclinic;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Fills the database with the same owners, pets and visits at each start.
@Component
class Beginning implements ApplicationRunner {
    private static final int OWNERS = 2000;
    private static final String[] FIRST = {"George", "Betty", "Eduardo", "Harold", "Maria", "Jean"};
    private static final String[] LAST = {"Franklin", "Davis", "Rodriquez", "Coleman", "Estaban"};
    private static final String[] KINDS = {"cat", "dog", "lizard", "snake", "bird", "hamster"};
    private static final String[] REASONS = {"rabies shot", "neutered", "check-up", "cough"};

    private final JdbcTemplate jdbc;

    Beginning(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        List<Object[]> owners = new ArrayList<>();
        List<Object[]> pets = new ArrayList<>();
        List<Object[]> visits = new ArrayList<>();
        for (int owner = 1; owner <= OWNERS; owner++) {
            owners.add(
                    new Object[] {
                        owner, any(FIRST, random), any(LAST, random), owner + " Main Street", "Madison"
                    });
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                int pet = pets.size() + 1;
                LocalDate born = LocalDate.of(2015, 1, 1).plusDays(random.nextInt(3000));
                pets.add(new Object[] {pet, owner, "Pet " + pet, any(KINDS, random), born});
                for (int j = random.nextInt(4); j > 0; j--) {
                    visits.add(
                            new Object[] {
                                pet, born.plusDays(random.nextInt(700)), any(REASONS, random)
                            });
                }
            }
        }
        jdbc.batchUpdate("insert into owner values (?, ?, ?, ?, ?)", owners);
        jdbc.batchUpdate("insert into pet values (?, ?, ?, ?, ?)", pets);
        jdbc.batchUpdate("insert into visit values (?, ?, ?)", visits);
    }

    private static String any(String[] of, RandomGenerator random) {
        return of[random.nextInt(of.length)];
    }
}
