-- A record's public key and its certificate's thumbprint follow from the certificate, which is kept in DER; the engine's document is the
-- registrant's and read by nobody here.
alter table record
  drop column public_key,
  drop column leaf_certificate_thumbprint,
  drop column engine_record,
  alter column leaf_certificate type bytea
    using decode(regexp_replace(leaf_certificate, '-----[A-Z ]+-----', '', 'g'), 'base64');
