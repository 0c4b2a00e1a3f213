-- The operator of a transaction, {name, source, key, seat}, is set by whoever opens it. It is the default of the audit log's
-- columns, so that no writer has to name it and none can forget it.
create function transaction_operator() returns json language sql stable as $$
  select coalesce(nullif(current_setting('app.operator', true), ''), '{"name": "backdesk", "source": "background work"}')::json
$$;

-- Without foreign keys: the log outlives what it names.
alter table audit_log
  add column key_id uuid,
  add column seat_id uuid;
alter table audit_log
  alter column actor set default transaction_operator() ->> 'name',
  alter column source set default transaction_operator() ->> 'source',
  alter column key_id set default (transaction_operator() ->> 'key')::uuid,
  alter column seat_id set default (transaction_operator() ->> 'seat')::uuid;
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
update audit_log set key_id = substring(actor from 9)::uuid where actor ~ '^API key [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
reset role;

-- Who sent a batch: its rows are imported after the answer, on behalf of the same operator.
alter table import_batches add column operator json;
alter table import_batches alter column operator set default transaction_operator();

-- A record loses its link to a customer, a trip or a booking in many ways: an import, a change, a conversion, the filing
-- of bookings. A trigger sees all of them. Its arguments: the linking column, the column of the record's own id, and what
-- it linked to. Customers that are merged have one row for all their links.
create function note_unlinking() returns trigger language plpgsql as $$
declare
  before uuid := to_jsonb(old) ->> tg_argv[0];
  after uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if tg_argv[2] = 'customer' and exists (select from customers
      where account_id = new.account_id and id = before and merged_into_id = after) then
    return null;
  end if;
  insert into audit_log (account_id, action, subject_type, subject_id, details)
  values (new.account_id, tg_argv[2] || '.unlinked', tg_table_name, to_jsonb(new) ->> tg_argv[1],
    jsonb_build_object('from', before, 'to', after));
  return null;
end $$;

create procedure audit_unlinking(of_table regclass, linking text, linked text, own_id text default 'id') language plpgsql as $$
begin
  execute format('create trigger unlink_%s after update on %s for each row
    when (old.%I is not null and new.%I is distinct from old.%I) execute function note_unlinking(%L, %L, %L)',
    linking, of_table, linking, linking, linking, linking, own_id, linked);
end $$;

call audit_unlinking('bookings', 'customer_id', 'customer');
call audit_unlinking('leads', 'customer_id', 'customer');
call audit_unlinking('leads', 'imported_customer_id', 'customer');
call audit_unlinking('operator_invoices', 'customer_id', 'customer');
call audit_unlinking('customer_invoices', 'customer_id', 'customer');
call audit_unlinking('communications', 'customer_id', 'customer');
call audit_unlinking('travelers', 'customer_id', 'customer');
call audit_unlinking('trip_travelers', 'customer_id', 'customer');
call audit_unlinking('customer_notes', 'customer_id', 'customer');
call audit_unlinking('referral_codes', 'customer_id', 'customer');
call audit_unlinking('surveys', 'customer_id', 'customer');
call audit_unlinking('leads', 'trip_id', 'trip');
call audit_unlinking('communications', 'trip_id', 'trip');
call audit_unlinking('trip_bookings', 'trip_id', 'trip', 'booking_id');
call audit_unlinking('operator_invoices', 'booking_id', 'booking');
call audit_unlinking('supplier_bills', 'booking_id', 'booking');
