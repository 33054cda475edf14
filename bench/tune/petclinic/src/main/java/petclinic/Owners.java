package petclinic;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// Reads owners with their pets from the database.
@Repository
class Owners {
    private static final int PAGE = 20;

    private final JdbcClient jdbc;

    Owners(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    record Owner(int id, String firstName, String lastName, String address, String city) {}

    record Pet(int id, String name, String kind, LocalDate born) {}

    record Visit(LocalDate day, String reason) {}

    record PetWithVisits(Pet pet, List<Visit> visits) {}

    record OwnerWithPets(Owner owner, List<PetWithVisits> pets) {}

    List<OwnerWithPets> named(String lastName, int page) {
        List<Owner> owners =
                jdbc.sql(
                                "select id, first_name, last_name, address, city from owner"
                                        + " where last_name like ? order by id limit ? offset ?")
                        .params(lastName + "%", PAGE, (page - 1) * PAGE)
                        .query(Owner.class)
                        .list();
        return owners.stream().map(this::withPets).toList();
    }

    OwnerWithPets get(int id) {
        return withPets(
                jdbc.sql(
                                "select id, first_name, last_name, address, city from owner where"
                                        + " id = ?")
                        .param(id)
                        .query(Owner.class)
                        .single());
    }

    private OwnerWithPets withPets(Owner owner) {
        List<PetWithVisits> pets = new ArrayList<>();
        for (Pet pet :
                jdbc.sql("select id, name, kind, born from pet where owner_id = ? order by id")
                        .param(owner.id())
                        .query(Pet.class)
                        .list()) {
            pets.add(
                    new PetWithVisits(
                            pet,
                            jdbc.sql("select \"DAY\", reason from visit where pet_id = ? order by \"DAY\"")
                                    .param(pet.id())
                                    .query(Visit.class)
                                    .list()));
        }
        return new OwnerWithPets(owner, pets);
    }
}
