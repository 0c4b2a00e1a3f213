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
-- A process of the former version posts during the upgrade, and dates a document by its tax point.
create function tax_point_of_issue() returns trigger language plpgsql as $$
begin
  new.tax_point_on = new.issued_on;
  return new;
end $$;
create trigger tax_point before insert on customer_invoices for each row
  when (new.tax_point_on is null and not comes_as_it_is()) execute function tax_point_of_issue();
create index customer_invoices_tax_point_on on customer_invoices (account_id, tax_point_on);
