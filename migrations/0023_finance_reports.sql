-- The reports of finance ask for the documents of a window, and for what was voided, refunded and paid back in it.
create index customer_invoices_issued_on on customer_invoices (account_id, issued_on);
create index supplier_bills_issued_on on supplier_bills (account_id, issued_on);
create index operator_invoices_issued_on on operator_invoices (account_id, issued_on);
create index ticket_document_events_taken_back on ticket_document_events (account_id, created_at)
  where action in ('void', 'refund') and booking_id is not null;
create index customer_payments_back on customer_payments (account_id, paid_on) where amount < 0;

-- Most invoices are settled for good, and what is open is asked for often. That something is settled is no word of the document.
alter table customer_invoices add settled_on date not null default 'infinity'; -- from that day on nothing of an invoice is open
create or replace function stay_as_posted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.customer_id = new.customer_id;
    old.settled_on = new.settled_on;
    if old = new then return new; end if;
  end if;
  raise exception 'A posted document never changes' using errcode = 'integrity_constraint_violation';
end $$;
create index customer_invoices_settled_on on customer_invoices (account_id, settled_on) where document_type = 'invoice';

-- What is paid, or taken back by a credit note, settles invoices. What was open on an earlier day is added up anew.
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
  for each statement execute function settle_invoices();
create trigger settles_changed after update on customer_payments referencing new table as changed
  for each statement execute function settle_invoices();
create trigger settles_deleted after delete on customer_payments referencing old table as changed
  for each statement execute function settle_invoices();
create trigger settles after insert on customer_invoices referencing new table as changed
  for each statement execute function settle_invoices();

set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
update customer_invoices i set settled_on = s.settled_on from settled_invoices s
where i.account_id = s.account_id and i.id = s.id and s.settled_on <> 'infinity';
reset role;
