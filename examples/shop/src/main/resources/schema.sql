create table item (id int primary key, name varchar(40), cents bigint);
create table line (cart int, item int, pieces int);
insert into item select x, 'item ' || x, x * 10 from system_range(1, 1000);
insert into line select x / 10, mod(x * 7, 1000) + 1, mod(x, 3) + 1 from system_range(10, 10009);
create index line_cart on line (cart);
