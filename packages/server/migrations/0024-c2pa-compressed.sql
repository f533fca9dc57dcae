-- Stores with a manifest that is compressed are read again: what it states in soft bindings is indexed too.

insert into c2pa_unread (image_no)
  select distinct image_no
  from c2pa_store join original using (image_no) join manifest using (image_no, position)
    left join sequence_manifest
      on sequence_manifest.sequence_id = original.sequence_id and sequence_manifest.position = manifest.position
  where position('brob'::bytea in coalesce(manifest.stored, sequence_manifest.stored)) > 0
on conflict do nothing;
delete from c2pa_store where image_no in (select image_no from c2pa_unread);
