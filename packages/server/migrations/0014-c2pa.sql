-- Where C2PA manifest stores are found again: by the label of their active manifest, and by what it states in soft bindings.

create table c2pa_store (
  image_no int not null references original,
  -- Of the manifest among those of the record.
  position int not null,
  label text not null,
  primary key (image_no, position)
);
create index c2pa_store_by_label on c2pa_store (label, image_no);

create table c2pa_binding (
  image_no int not null,
  position int not null,
  -- SHA-256 of the algorithm's name, a zero byte and the value.
  binding bytea not null check (length(binding) = 32),
  primary key (image_no, position, binding),
  foreign key (image_no, position) references c2pa_store on delete cascade
);
create index c2pa_binding_by_value on c2pa_binding (binding, image_no);

-- Records from before, whose manifests a sweep reads one after the other.
create table c2pa_unread (image_no int primary key references original);
insert into c2pa_unread (image_no)
  select distinct image_no from manifest join original using (image_no) where form = 'jumbf' and taken_down_at is null;
