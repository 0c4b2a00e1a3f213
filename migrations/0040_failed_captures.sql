alter table ticket_captures add column cause text, add column excerpt text;
comment on column ticket_captures.cause is 'why the capture failed, as a stable code; null if it did not, or if it failed before codes existed';
comment on column ticket_captures.excerpt is 'of a failed capture: the beginning of the file with its letters and digits replaced, so that it tells no person and no amount';
create index ticket_captures_failed on ticket_captures (account_id, created_at desc, id desc) where status = 'failed';
