-- Every captured file says something of each number that it names. All of it is kept, so that what a sale holds follows
-- from the files and not from the order in which they came.
alter table ticket_document_events drop constraint ticket_document_events_action_check;
alter table ticket_document_events add constraint ticket_document_events_action_check
  check (action in ('issue', 'exchange', 'void', 'restore', 'refund', 'refund_cancel'));
alter table ticket_document_events add column entry boolean not null default false;
comment on table ticket_document_events is 'What captured files say of document numbers: an issue, or what became of a document later. The capture has the file itself.';
comment on column ticket_document_events.booking_id is 'the sale that holds the number; null while none does';
comment on column ticket_document_events.entry is 'whether the sale''s entry of the document was made of captured files';
comment on column ticket_document_events.document_before is 'former processes keep the status of the document before the event here';

-- What the captures so far say. Changes that former processes noted stay as they are.
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
insert into ticket_document_events (account_id, capture_id, number, action, booking_id, entry, created_at)
select c.account_id, c.id, f.number, f.action, n.booking_id,
  c.status = 'parsed' and f.action in ('issue', 'refund') and n.booking_id is not distinct from c.ticket_sale_id, c.created_at
from ticket_captures c
  cross join lateral (
    select d ->> 'number' as number, case c.document_action when 'exchange' then 'issue' else c.document_action end as action
    from jsonb_array_elements(c.document -> 'documents') d
    union
    select o ->> 'number', 'exchange'
    from jsonb_array_elements(c.document -> 'documents') d cross join jsonb_array_elements(d -> 'exchange' -> 'originals') o
    where jsonb_typeof(d -> 'exchange') = 'object'
  ) f
  left join lateral (
    select t.booking_id from ticket_numbers t where t.account_id = c.account_id and t.number = f.number
    order by t.booking_id limit 1
  ) n on true
where c.document_action <> 'itinerary' and not (c.document -> 'training')::boolean
  and (c.status <> 'failed' or c.document_action in ('void', 'restore', 'refund_cancel'))
  and not exists (select from ticket_document_events e
    where e.account_id = c.account_id and e.number = f.number and e.action = f.action)
order by c.created_at, c.id;
reset role;
