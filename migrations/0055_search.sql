-- Search over records of every kind: the functions return ids, exact matches first, and their caller reads the records
-- behind the wall. Each looks first where an index returns the first matches in order, and only if these are too few
-- through the newest records and then by trigrams. Texts are compared by code point ("C"), so that the beginning of a text
-- is a range of an index, also where the plan is made for any text.

-- The last code point, which no text has in it: texts that begin with x are from x to x followed by it.
create function text_end(beginning text) returns text language sql immutable parallel safe return beginning || chr(1114111);
comment on function text_end is 'The end of the range of texts that begin with this one, by code point.';

create index customers_name_start on customers (account_id, (left(search, 40)) collate "C") where deleted_at is null;
create index customers_last_name on customers (account_id, (left(split_part(split_part(search, E'\n', 1), ' ', -1), 40)) collate "C")
  where deleted_at is null;
create index travelers_name_start on travelers (account_id, (left(fold(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), 40)) collate "C");
create index travelers_last_name on travelers (account_id, (left(fold(last_name), 40)) collate "C") where last_name is not null;
create index leads_name_start on leads (account_id, (left(search, 40)) collate "C") where deleted_at is null;
create index leads_last_name on leads (account_id, (left(split_part(split_part(search, E'\n', 1), ' ', -1), 40)) collate "C")
  where deleted_at is null;
create index suppliers_name_start on suppliers (account_id, (left(fold(name), 40)) collate "C") where deleted_at is null;
create index suppliers_search on suppliers using gin (account_id, fold(name) gin_trgm_ops) where deleted_at is null;
create index trips_title_start on trips (account_id, (left(search, 40)) collate "C");
create index bookings_reference on bookings (account_id, (upper(left(external_id, 60))) collate "C")
  where external_id is not null and deleted_at is null;
create index tickets_pnr_start on tickets (account_id, pnr collate "C") where pnr is not null;
create index tickets_gds_pnr_start on tickets (account_id, gds_pnr collate "C") where gds_pnr is not null;
create index ticket_numbers_start on ticket_numbers (account_id, number collate "C");
create index ticket_numbers_without_airline on ticket_numbers (account_id, (right(number, 10)) collate "C");
create index customer_invoices_number on customer_invoices (account_id, number collate "C");
create index customer_invoices_number_end on customer_invoices (account_id, (reverse(number)) collate "C");
comment on index customer_invoices_number_end is 'finds an invoice by the digits at its end';
create index supplier_bills_number_start on supplier_bills (account_id, (upper(left(bill_number, 60))) collate "C") where deleted_at is null;
create index operator_invoices_number_start on operator_invoices (account_id, (upper(left(invoice_number, 60))) collate "C")
  where deleted_at is null;

grant create on schema public to backdesk_system;
set local role backdesk_system;

create function leads_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from leads
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and search like pattern $$;
comment on function leads_like is 'The leads of the account that match a pattern. See customers_like().';
create function suppliers_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from suppliers
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and fold(name) like pattern $$;
comment on function suppliers_like is 'The suppliers of the account that match a pattern. See customers_like().';

-- code: as typed; sought: a folded text, null if the role may not search by identity; number: digits of a phone number, or null.
create function find_customers(code text, sought text, number text, hides_restricted boolean, most integer)
returns table (id uuid, rank integer) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
  pattern constant text := '%' || like_text(sought) || '%';
  digits constant text := coalesce('%' || number || '%', pattern);
  others constant text := substr(sought, length(split_part(sought, ' ', 1)) + 2);
  found integer := 0;
  made integer;
begin
  return query select c.id, 0 from customers c
    where c.account_id = of_account and c.code in (find_customers.code, upper(find_customers.code)) and c.deleted_at is null limit most;
  if sought is null then return; end if;
  return query select c.id, 0 from customers c
    where c.account_id = of_account and c.email_key = sought and c.deleted_at is null and not c.tags && hidden limit most;
  get diagnostics found = row_count;
  if found > 0 then return; end if;
  if number is null then
    return query select c.id, 1 from customers c
      where c.account_id = of_account and c.deleted_at is null and not c.tags && hidden
        and left(c.search, 40) collate "C" >= sought and left(c.search, 40) collate "C" < text_end(sought)
      order by c.account_id, left(c.search, 40) collate "C" limit most;
    get diagnostics made = row_count;
    found := found + made;
    return query select c.id, 1 from customers c
      where c.account_id = of_account and c.deleted_at is null and not c.tags && hidden
        and left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" >= sought
        and left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" < text_end(sought)
        and not (left(c.search, 40) collate "C" >= sought and left(c.search, 40) collate "C" < text_end(sought))
      order by c.account_id, left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" limit most;
    get diagnostics made = row_count;
    found := found + made;
    -- The last name first, then the beginning of another name.
    if found < most and others <> '' then
      return query select c.id, 1 from (
          select n.id, n.search, n.tags from customers n where n.account_id = of_account and n.deleted_at is null
            and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" = split_part(sought, ' ', 1)
          limit 2000) c
        where (' ' || c.search) like '% ' || like_text(others) || '%' and not c.tags && hidden limit most;
      get diagnostics made = row_count;
      found := found + made;
      if found > 0 then return; end if;
    end if;
  end if;
  if found >= most then return; end if;
  return query select c.id, 2 from (
      select n.id, n.search, n.tags from customers n where n.account_id = of_account and n.deleted_at is null
      order by n.created_at desc, n.id desc limit 2000) c
    where (c.search like pattern or c.search like digits) and not c.tags && hidden limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  -- What follows the @ of an e-mail is in so many records that the index would compare most of them.
  return query select c.id, 2 from (
      select customers_like(case when strpos(sought, '@') > 3 then '%' || like_text(split_part(sought, '@', 1)) || '%' else digits end) as id
      limit most * 20) l
    join customers c on c.account_id = of_account and c.id = l.id
    where (c.search like pattern or c.search like digits) and not c.tags && hidden limit most;
end $$;
comment on function find_customers is 'Customers for a search: by their code, and by name, e-mail and phone. rank: 0 exact, 1 beginning, 2 part.';

create function find_travelers(sought text, hides_restricted boolean, most integer)
returns table (id uuid, rank integer) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
begin
  return query select v.id, 1 from travelers v join customers c on c.account_id = v.account_id and c.id = v.customer_id
    where v.account_id = of_account and c.deleted_at is null and not c.tags && hidden
      and left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" >= sought
      and left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" < text_end(sought)
    order by v.account_id, left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" limit most;
  return query select v.id, 1 from travelers v join customers c on c.account_id = v.account_id and c.id = v.customer_id
    where v.account_id = of_account and c.deleted_at is null and not c.tags && hidden and v.last_name is not null
      and left(fold(v.last_name), 40) collate "C" >= sought and left(fold(v.last_name), 40) collate "C" < text_end(sought)
    order by v.account_id, left(fold(v.last_name), 40) collate "C" limit most;
end $$;
comment on function find_travelers is 'Travellers of the directories for a search, by the beginning of their name or last name.';

create function find_leads(sought text, number text, hides_restricted boolean, most integer)
returns table (id uuid, rank integer) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
  pattern constant text := '%' || like_text(sought) || '%';
  digits constant text := coalesce('%' || number || '%', pattern);
  most_of_each constant integer := most * 4; -- some are of hidden customers
  found integer := 0;
  made integer;
begin
  if sought is null then return; end if;
  return query select l.id, 1 from (
      select n.id, n.customer_id, n.imported_customer_id from leads n where n.account_id = of_account and n.deleted_at is null
        and left(n.search, 40) collate "C" >= sought and left(n.search, 40) collate "C" < text_end(sought)
      order by n.account_id, left(n.search, 40) collate "C" limit most_of_each) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
  get diagnostics found = row_count;
  return query select l.id, 1 from (
      select n.id, n.customer_id, n.imported_customer_id from leads n where n.account_id = of_account and n.deleted_at is null
        and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" >= sought
        and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" < text_end(sought)
        and not (left(n.search, 40) collate "C" >= sought and left(n.search, 40) collate "C" < text_end(sought))
      order by n.account_id, left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" limit most_of_each) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
  get diagnostics made = row_count;
  found := found + made;
  if found >= most then return; end if;
  return query select l.id, 2 from (
      select n.id, n.search, n.customer_id, n.imported_customer_id from leads n
      where n.account_id = of_account and n.deleted_at is null order by n.account_id desc, n.created_at desc limit 1000) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where (l.search like pattern or l.search like digits) and not coalesce(c.tags && hidden, false) limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  return query select n.id, 2 from (select leads_like(digits) as id limit most * 20) l
    join leads n on n.account_id = of_account and n.id = l.id
    left join customers c on c.account_id = of_account and c.id = coalesce(n.customer_id, n.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
end $$;
comment on function find_leads is 'Leads for a search, by name, e-mail and phone.';

create function find_suppliers(code text, sought text, most integer)
returns table (id uuid, rank integer) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  found integer := 0;
begin
  return query select s.id, 0 from suppliers s
    where s.account_id = of_account and s.code in (find_suppliers.code, upper(find_suppliers.code)) and s.deleted_at is null limit most;
  return query select s.id, 0 from suppliers s
    where s.account_id = of_account and s.iata_code = upper(find_suppliers.code) and s.deleted_at is null limit most;
  return query select s.id, 1 from suppliers s
    where s.account_id = of_account and s.deleted_at is null
      and left(fold(s.name), 40) collate "C" >= sought and left(fold(s.name), 40) collate "C" < text_end(sought)
    order by s.account_id, left(fold(s.name), 40) collate "C" limit most;
  get diagnostics found = row_count;
  if found >= most or sought is null or length(sought) < 3 then return; end if;
  return query select l.id, 2 from (select suppliers_like('%' || like_text(sought) || '%') as id limit most * 2) l;
end $$;
comment on function find_suppliers is 'Suppliers for a search, by code, IATA code and name.';

create function find_trips(code text, sought text, most integer)
returns table (id uuid, rank integer) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  pattern constant text := '%' || like_text(sought) || '%';
  found integer := 0;
  made integer;
begin
  return query select t.id, 0 from trips t where t.account_id = of_account and t.reference_number = upper(code);
  get diagnostics found = row_count;
  if found > 0 or sought is null then return; end if;
  return query select t.id, 1 from trips t
    where t.account_id = of_account and left(t.search, 40) collate "C" >= sought and left(t.search, 40) collate "C" < text_end(sought)
    order by t.account_id, left(t.search, 40) collate "C" limit most;
  get diagnostics found = row_count;
  if found >= most then return; end if;
  return query select t.id, 2 from (
      select n.id, n.search from trips n where n.account_id = of_account order by n.account_id desc, n.starts desc, n.id desc limit 1000) t
    where t.search like pattern limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  return query select l.id, 2 from (select trips_like(pattern) as id limit most * 2) l;
end $$;
comment on function find_trips is 'Trips for a search, by reference number and title.';

create function find_bookings(code text, most integer)
returns table (id uuid, rank integer) language sql stable security definer set search_path = public, pg_temp rows 10 as $$
  select b.id, case when upper(b.external_id) = upper(code) then 0 else 1 end from bookings b
  where b.account_id = nullif(current_setting('app.account', true), '')::integer and b.external_id is not null and b.deleted_at is null
    and upper(left(b.external_id, 60)) collate "C" >= upper(code) and upper(left(b.external_id, 60)) collate "C" < text_end(upper(code))
  order by b.account_id, upper(left(b.external_id, 60)) collate "C" limit most
$$;
comment on function find_bookings is 'Bookings for a search, by the beginning of their external id.';

-- digits: of a document number, null if the text is none.
create function find_tickets(code text, digits text, most integer)
returns table (id uuid, rank integer, number text) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  locator constant text := upper(code);
begin
  if digits is not null then
    return query select n.booking_id, case when length(digits) >= 13 then 0 else 1 end, n.number from ticket_numbers n
      where n.account_id = of_account and n.number collate "C" >= left(digits, 13) and n.number collate "C" < text_end(left(digits, 13))
      order by n.account_id, n.number collate "C" limit most;
    if length(digits) > 10 then return; end if;
    return query select n.booking_id, case when length(digits) = 10 then 0 else 1 end, n.number from ticket_numbers n
      where n.account_id = of_account and right(n.number, 10) collate "C" >= digits and right(n.number, 10) collate "C" < text_end(digits)
      order by n.account_id, right(n.number, 10) collate "C" limit most;
  end if;
  if length(locator) between 3 and 8 then
    return query select t.id, case when t.pnr = locator then 0 else 1 end, null::text from tickets t
      where t.account_id = of_account and t.pnr is not null and t.pnr collate "C" >= locator and t.pnr collate "C" < text_end(locator)
      order by t.account_id, t.pnr collate "C" limit most;
    return query select t.id, case when t.gds_pnr = locator then 0 else 1 end, null::text from tickets t
      where t.account_id = of_account and t.gds_pnr is not null
        and t.gds_pnr collate "C" >= locator and t.gds_pnr collate "C" < text_end(locator)
      order by t.account_id, t.gds_pnr collate "C" limit most;
  end if;
end $$;
comment on function find_tickets is 'Ticket sales for a search, by a document number with or without its airline, and by PNR.';

create function find_documents(code text, sees_costs boolean, most integer)
returns table (id uuid, rank integer, kind text) language plpgsql stable security definer set search_path = public, pg_temp rows 10 as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  wanted constant text := upper(code);
begin
  return query select i.id, case when i.number = wanted then 0 else 1 end, 'customer_invoice' from customer_invoices i
    where i.account_id = of_account and i.number collate "C" >= wanted and i.number collate "C" < text_end(wanted)
    order by i.account_id, i.number collate "C" limit most;
  if wanted ~ '^[0-9]{3,}$' then
    return query select i.id, 1, 'customer_invoice' from customer_invoices i
      where i.account_id = of_account and reverse(i.number) collate "C" >= reverse(wanted)
        and reverse(i.number) collate "C" < text_end(reverse(wanted))
      order by i.account_id, reverse(i.number) collate "C" limit most;
  end if;
  if not sees_costs then return; end if;
  return query select s.id, case when upper(s.bill_number) = wanted then 0 else 1 end, 'supplier_bill' from supplier_bills s
    where s.account_id = of_account and s.deleted_at is null
      and upper(left(s.bill_number, 60)) collate "C" >= wanted and upper(left(s.bill_number, 60)) collate "C" < text_end(wanted)
    order by s.account_id, upper(left(s.bill_number, 60)) collate "C" limit most;
  return query select o.id, case when upper(o.invoice_number) = wanted then 0 else 1 end, 'operator_invoice' from operator_invoices o
    where o.account_id = of_account and o.deleted_at is null
      and upper(left(o.invoice_number, 60)) collate "C" >= wanted and upper(left(o.invoice_number, 60)) collate "C" < text_end(wanted)
    order by o.account_id, upper(left(o.invoice_number, 60)) collate "C" limit most;
end $$;
comment on function find_documents is 'Invoices, credit notes, supplier bills and operator invoices for a search, by number.';

revoke all on function leads_like, suppliers_like, find_customers, find_travelers, find_leads, find_suppliers, find_trips, find_bookings,
  find_tickets, find_documents from public;
grant execute on function leads_like, suppliers_like, find_customers, find_travelers, find_leads, find_suppliers, find_trips, find_bookings,
  find_tickets, find_documents to backdesk_app;
reset role;
revoke create on schema public from backdesk_system;
