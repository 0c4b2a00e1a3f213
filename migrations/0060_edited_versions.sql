-- Versions of the records that people edit over the application API and that had none.
alter table customer_notes add column version integer not null default 1;
alter table tasks add column version integer not null default 1;
alter table saved_reports add column version integer not null default 1;
alter table webhooks add column version integer not null default 1;
comment on column customer_notes.version is 'counts its changes, so that an editor who read an older one is refused';
comment on column tasks.version is 'counts its changes, so that an editor who read an older one is refused';
comment on column saved_reports.version is 'counts changes of what people edit; its runs do not count';
comment on column webhooks.version is 'counts changes of what people edit; its deliveries do not count';

alter table idempotency_keys add column version integer;
comment on column idempotency_keys.version is 'of the record in the response, if people edit it';

-- A trigger rather than the statements, since tasks also change when seats or customers are removed or merged.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
comment on function count_version() is 'Trigger that counts the version of a record whenever one of the columns that people edit is written.';
create trigger count_version before update on customer_notes for each row execute function count_version();
create trigger count_version before update on tasks for each row execute function count_version();
create trigger count_version before update of name, preset_key, filters, definition, schedule_frequency, schedule_hour,
  schedule_weekday, schedule_day, schedule_paused, file_format, recipients on saved_reports
  for each row execute function count_version();
create trigger count_version before update of url, events, entities, role, active on webhooks
  for each row execute function count_version();
