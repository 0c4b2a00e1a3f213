alter table companies add payment_terms_days integer not null default 0 check (payment_terms_days between 0 and 365);

-- The last number of each series. A row, not a sequence: what is taken back leaves no gap.
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

create function document_number(series text, year integer, nth bigint) returns text language sql immutable parallel safe
  return series || '-' || year || '-' || lpad(nth::text, greatest(6, length(nth::text)), '0');

-- What a customer owes, and the credit notes that take it back. A posted document never changes.
create table customer_invoices (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  company_id    uuid not null,
  branch_id     uuid,
  document_type text not null check (document_type in ('invoice', 'credit_note')),
  number        text not null,
  booking_id    uuid not null,
  customer_id   uuid not null,
  reverses_id   uuid, -- the invoice that a credit note mirrors
  currency      text not null,
  issued_on     date not null,
  due_on        date not null,
  lines         jsonb not null, -- as the booking's sell lines were: kind, label, amount, quantity, vat_rate, tax_inclusive, net, vat, gross
  net           numeric(19, 4) not null,
  vat           numeric(19, 4) not null,
  gross         numeric(19, 4) not null,
  created_at    timestamptz not null default now(),
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
create index customer_invoices_customer on customer_invoices (account_id, customer_id);
create index customer_invoices_company on customer_invoices (account_id, company_id, issued_on);
create index customer_invoices_branch on customer_invoices (account_id, branch_id);
call wall('customer_invoices');

create function stay_as_posted() returns trigger language plpgsql as $$
begin
  raise exception 'A posted document never changes' using errcode = 'integrity_constraint_violation';
end $$;
create trigger posted before update or delete on customer_invoices for each row execute function stay_as_posted();

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
call wall('customer_payments');

-- What the agency owes: posted for invoiced bookings, or brought forward from another system.
create table supplier_bills (
  account_id         integer not null,
  id                 uuid not null default uuidv7(),
  company_id         uuid not null,
  branch_id          uuid,
  source_system      text,
  external_id        text,
  bill_number        text not null,
  supplier_id        uuid not null,
  booking_id         uuid, -- of a posted one
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
  changed            bigint not null,
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
create index supplier_bills_number on supplier_bills (account_id, supplier_id, bill_number);
create index supplier_bills_company on supplier_bills (account_id, company_id);
create index supplier_bills_branch on supplier_bills (account_id, branch_id);
create unique index supplier_bills_booking on supplier_bills (account_id, booking_id, currency) where booking_id is not null;
create trigger stamp before insert or update on supplier_bills for each row execute function stamp();
call wall('supplier_bills');

-- A tour operator's invoices to the agency, brought forward.
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
  booking_id            uuid, -- that the two before name, where there is one
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
  changed               bigint not null,
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
create unique index operator_invoices_number on operator_invoices (account_id, supplier_id, invoice_number) where status <> 'void' and deleted_at is null;
create index operator_invoices_company on operator_invoices (account_id, company_id);
create index operator_invoices_branch on operator_invoices (account_id, branch_id);
create index operator_invoices_customer on operator_invoices (account_id, customer_id) where customer_id is not null;
create index operator_invoices_booking on operator_invoices (account_id, booking_id) where booking_id is not null;
create trigger stamp before insert or update on operator_invoices for each row execute function stamp();
call wall('operator_invoices');
