-- JUMBF that was not indexed is read again: soft bindings may state their value as a text, or their algorithm in the claim.

insert into c2pa_unread (image_no)
  select distinct image_no
  from manifest join original using (image_no) left join c2pa_store using (image_no, position)
  where form = 'jumbf' and taken_down_at is null and c2pa_store.image_no is null
on conflict do nothing;
delete from c2pa_store where image_no in (select image_no from c2pa_unread);
