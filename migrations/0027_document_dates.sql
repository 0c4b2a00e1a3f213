-- Numbers of customer documents never run against dates: a document is dated on or after the one before it in its series.
alter table document_counters add last_on date; -- latest date in the series; null where the last number was brought along

-- Whether an invoice may take the booking's invoice date where that lies before today and no later number exists.
alter table companies add backdate_invoices boolean not null default false;

-- The day that decides the VAT period. Documents posted before were dated by it.
alter table customer_invoices add tax_point_on date;
alter table customer_invoices disable trigger posted;
set local role backdesk_system; -- the wall hides all rows from the owner of the tables
update document_counters c set last_on = d.last_on
from (
  select account_id, company_id, split_part(number, '-', 1) as series, split_part(number, '-', 2)::integer as year,
    max(issued_on) as last_on
  from customer_invoices group by 1, 2, 3, 4
) d
where c.account_id = d.account_id and c.company_id = d.company_id and c.series = d.series and c.year = d.year;
update customer_invoices set tax_point_on = issued_on;
reset role;
alter table customer_invoices enable trigger posted;
alter table customer_invoices alter tax_point_on set not null;
-- A process of the former version that posts during the upgrade dates a document by its tax point, and leaves the
-- series' last date alone.
create function complete_former_document() returns trigger language plpgsql as $$
begin
  new.tax_point_on = new.issued_on;
  update document_counters set last_on = greatest(last_on, new.issued_on)
  where account_id = new.account_id and company_id = new.company_id
    and series = split_part(new.number, '-', 1) and year = split_part(new.number, '-', 2)::integer;
  return new;
end $$;
create trigger former_document before insert on customer_invoices for each row
  when (new.tax_point_on is null and not comes_as_it_is()) execute function complete_former_document();
