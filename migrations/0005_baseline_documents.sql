-- Documents: what customers owe, what the agency owes, and what was paid.

-- The last document number of each series. A row instead of a sequence, so that a rollback leaves no gap.
create table document_counters (
  account_id integer not null,
  company_id uuid not null,
  series     text not null,
  year       integer not null,
  last       integer not null,
  primary key (account_id, company_id, series, year),
  foreign key (account_id, company_id) references companies
);
call wall('document_counters');

-- INV-2026-000042.
create function document_number(series text, year integer, nth bigint) returns text language sql immutable parallel safe
  return series || '-' || year || '-' || lpad(nth::text, greatest(6, length(nth::text)), '0');

-- ## Customers owe the agency

-- Invoices and the credit notes that reverse them. A posted document never changes.
create table customer_invoices (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  company_id    uuid not null,
  branch_id     uuid,
  document_type text not null check (document_type in ('invoice', 'credit_note')),
  number        text not null,
  booking_id    uuid not null,
  customer_id   uuid not null,
  reverses_id   uuid, -- the invoice that a credit note reverses
  currency      text not null,
  issued_on     date not null,
  due_on        date not null,
  lines         jsonb not null, -- copies of the booking's sell lines: kind, label, amount, quantity, vat_rate, tax_inclusive, net, vat, gross
  net           numeric(19, 4) not null,
  vat           numeric(19, 4) not null,
  gross         numeric(19, 4) not null,
  created_at    timestamptz not null default now(),
  settled_on    date not null default 'infinity', -- from this day on nothing of an invoice is open; the triggers `settles` keep it
  primary key (account_id, id),
  unique (account_id, company_id, number),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, booking_id) references bookings,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, reverses_id) references customer_invoices,
  check ((document_type = 'credit_note') = (reverses_id is not null)),
  check (net + vat = gross)
);
create unique index customer_invoices_reversed on customer_invoices (account_id, reverses_id) where reverses_id is not null;
create unique index customer_invoices_booking on customer_invoices (account_id, booking_id, currency) where document_type = 'invoice';
create index customer_invoices_issued_on on customer_invoices (account_id, issued_on);
create index customer_invoices_settled_on on customer_invoices (account_id, settled_on) where document_type = 'invoice';
create index customer_invoices_customer on customer_invoices (account_id, customer_id);
create index customer_invoices_company on customer_invoices (account_id, company_id, issued_on);
create index customer_invoices_branch on customer_invoices (account_id, branch_id);
call wall('customer_invoices');

-- The words and figures of a posted document never change. Its customer changes when customers are merged, and settled_on
-- says nothing about the document itself.
create function stay_as_posted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.customer_id = new.customer_id;
    old.settled_on = new.settled_on;
    if old = new then return new; end if;
  end if;
  raise exception 'A posted document never changes' using errcode = 'integrity_constraint_violation';
end $$;
create trigger posted before update or delete on customer_invoices for each row execute function stay_as_posted();

-- Payments of customers; negative ones are paid back.
create table customer_payments (
  account_id integer not null,
  id         uuid not null default uuidv7(),
  invoice_id uuid not null,
  amount     numeric(19, 4) not null check (amount <> 0),
  paid_on    date not null,
  method     text,
  note       text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, invoice_id) references customer_invoices
);
create index customer_payments_invoice on customer_payments (account_id, invoice_id);
create index customer_payments_back on customer_payments (account_id, paid_on) where amount < 0;
call wall('customer_payments');

-- The day on which each invoice was settled by payments or by its credit note. Most invoices are settled for good and the
-- open ones are asked for often, so triggers keep it in settled_on. What was open on an earlier day is added up anew.
create view settled_invoices with (security_invoker) as
  select i.account_id, i.id, case when i.gross + coalesce(n.gross, 0) = p.amount then greatest(i.issued_on, n.issued_on, p.last)
    else 'infinity' end as settled_on
  from customer_invoices i
    left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id
    cross join lateral (select coalesce(sum(p.amount), 0) as amount, max(p.paid_on) as last from customer_payments p
      where p.account_id = i.account_id and p.invoice_id in (i.id, n.id)) p
  where i.document_type = 'invoice';
grant select on settled_invoices to backdesk_app, backdesk_system;
create function settle_invoices() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'customer_payments' then
    update customer_invoices i set settled_on = s.settled_on
    from (select distinct c.account_id, coalesce(d.reverses_id, d.id) as id
        from changed c join customer_invoices d on d.account_id = c.account_id and d.id = c.invoice_id) c
      join settled_invoices s on s.account_id = c.account_id and s.id = c.id
    where i.account_id = s.account_id and i.id = s.id and i.settled_on <> s.settled_on;
  else
    update customer_invoices i set settled_on = s.settled_on
    from changed c join settled_invoices s on s.account_id = c.account_id and s.id = c.reverses_id
    where i.account_id = s.account_id and i.id = s.id and i.settled_on <> s.settled_on;
  end if;
  return null;
end $$;
create trigger settles after insert on customer_payments referencing new table as changed
  for each statement when (not comes_as_it_is()) execute function settle_invoices();
create trigger settles_changed after update on customer_payments referencing new table as changed
  for each statement execute function settle_invoices();
create trigger settles_deleted after delete on customer_payments referencing old table as changed
  for each statement execute function settle_invoices();
create trigger settles after insert on customer_invoices referencing new table as changed
  for each statement when (not comes_as_it_is()) execute function settle_invoices();

-- ## The agency owes suppliers

-- Bills of suppliers: posted for invoiced bookings, or brought forward from another system.
create table supplier_bills (
  account_id         integer not null,
  id                 uuid not null default uuidv7(),
  company_id         uuid not null,
  branch_id          uuid,
  source_system      text,
  external_id        text,
  bill_number        text not null,
  supplier_id        uuid not null,
  booking_id         uuid, -- of a posted bill
  document_type      text not null default 'invoice',
  issued_on          date not null,
  due_on             date,
  received_on        date,
  currency           text not null,
  net_amount         numeric(19, 4),
  vat_amount         numeric(19, 4),
  withholding_amount numeric(19, 4),
  total_amount       numeric(19, 4) not null,
  paid_amount        numeric(19, 4),
  status             text not null default 'draft',
  lines              jsonb,
  notes              text,
  version            integer not null default 1,
  changed            bigint not null, -- see change_number()
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, booking_id) references bookings
);
create index supplier_bills_changed on supplier_bills (account_id, changed, id);
create index supplier_bills_issued_on on supplier_bills (account_id, issued_on);
create index supplier_bills_number on supplier_bills (account_id, supplier_id, bill_number);
create unique index supplier_bills_booking on supplier_bills (account_id, booking_id, currency) where booking_id is not null;
create index supplier_bills_company on supplier_bills (account_id, company_id);
create index supplier_bills_branch on supplier_bills (account_id, branch_id);
create trigger stamp before insert or update on supplier_bills for each row when (not comes_as_it_is()) execute function stamp();
call wall('supplier_bills');

-- Invoices of tour operators to the agency, brought forward from another system.
create table operator_invoices (
  account_id            integer not null,
  id                    uuid not null default uuidv7(),
  company_id            uuid not null,
  branch_id             uuid,
  source_system         text,
  external_id           text,
  invoice_number        text not null,
  document_type         text not null default 'invoice',
  supplier_id           uuid not null,
  customer_id           uuid,
  booking_entity        text,
  booking_external_id   text,
  booking_id            uuid, -- the booking that booking_entity and booking_external_id name, if it exists
  operator_reference    text,
  issued_on             date not null,
  due_on                date,
  departure_on          date,
  return_on             date,
  lead_passenger_name   text,
  pax_count             integer,
  currency              text not null,
  gross_amount          numeric(19, 4),
  commission_rate       numeric(7, 4),
  commission_amount     numeric(19, 4),
  commission_vat_amount numeric(19, 4),
  net_amount            numeric(19, 4),
  vat_amount            numeric(19, 4),
  total_amount          numeric(19, 4) not null,
  paid_amount           numeric(19, 4),
  deposit_amount        numeric(19, 4),
  deposit_due_on        date,
  balance_due_on        date,
  status                text not null default 'draft',
  lines                 jsonb,
  notes                 text,
  version               integer not null default 1,
  changed               bigint not null, -- see change_number()
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  deleted_at            timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, booking_id) references bookings
);
create index operator_invoices_changed on operator_invoices (account_id, changed, id);
create index operator_invoices_issued_on on operator_invoices (account_id, issued_on);
create unique index operator_invoices_number on operator_invoices (account_id, supplier_id, invoice_number) where status <> 'void' and deleted_at is null;
create index operator_invoices_company on operator_invoices (account_id, company_id);
create index operator_invoices_branch on operator_invoices (account_id, branch_id);
create index operator_invoices_customer on operator_invoices (account_id, customer_id) where customer_id is not null;
create index operator_invoices_booking on operator_invoices (account_id, booking_id) where booking_id is not null;
create trigger stamp before insert or update on operator_invoices for each row when (not comes_as_it_is()) execute function stamp();
call wall('operator_invoices');
