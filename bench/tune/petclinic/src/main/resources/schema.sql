create table owner (id int primary key, first_name varchar(30), last_name varchar(30), address varchar(80), city varchar(30));
create index owner_name on owner (last_name);
create table pet (id int primary key, owner_id int not null, name varchar(30), kind varchar(20), born date);
create index pet_owner on pet (owner_id);
create table visit (pet_id int not null, "DAY" date, reason varchar(80));
create index visit_pet on visit (pet_id);
