-- The batches that created or changed a booking, for its history.
create table booking_imports (
  account_id integer not null,
  booking_id uuid    not null,
  batch_id   uuid    not null,
  outcome    text    not null,
  at         timestamptz not null,
  primary key (account_id, booking_id, batch_id)
);
comment on table booking_imports is 'The batches that created or changed a booking. Without foreign keys, whose checks would take longer than the writes: neither bookings nor batches are deleted.';
comment on column booking_imports.outcome is 'created or updated: what the first row of the batch for this booking did';
call wall('booking_imports');

create function note_booking_imports() returns trigger language plpgsql as $$
begin
  insert into booking_imports (account_id, booking_id, batch_id, outcome, at)
  select new.account_id, b.id, new.batch_id, o.outcome ->> 'status', now()
  from json_array_elements(new.outcomes) as o(outcome)
    join bookings b on b.account_id = new.account_id and b.id = (o.outcome ->> 'id')::uuid
  where o.outcome ->> 'status' in ('created', 'updated')
  on conflict (account_id, booking_id, batch_id) do nothing;
  return null;
end $$;
comment on function note_booking_imports is 'Notes the bookings that a chunk of a batch created or changed, when its outcomes are stored.';
create trigger notes_booking_imports_inserted after insert on import_chunks
  for each row when (new.outcomes is not null and not comes_as_it_is()) execute function note_booking_imports();
create trigger notes_booking_imports_updated after update of outcomes on import_chunks
  for each row when (new.outcomes is not null and old.outcomes is null and not comes_as_it_is()) execute function note_booking_imports();

insert into booking_imports (account_id, booking_id, batch_id, outcome, at)
select c.account_id, k.id, c.batch_id, min(o.outcome ->> 'status'), min(coalesce(b.finished_at, b.created_at))
from import_chunks c
  join import_batches b on b.account_id = c.account_id and b.id = c.batch_id
  cross join lateral json_array_elements(c.outcomes) as o(outcome)
  join bookings k on k.account_id = c.account_id and k.id = (o.outcome ->> 'id')::uuid
where o.outcome ->> 'status' in ('created', 'updated')
group by c.account_id, k.id, c.batch_id;
