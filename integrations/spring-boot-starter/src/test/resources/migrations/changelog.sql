--liquibase formatted sql

--changeset shop:1
create table orders (id int primary key);
