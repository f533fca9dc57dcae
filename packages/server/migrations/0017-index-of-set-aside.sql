-- The few originals that are set aside, for look-ups to leave them out.
create index original_set_aside on original (image_no) where set_aside_at is not null;
