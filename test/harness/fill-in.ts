import { tickets } from '../../src/features/bookings/verticals/tickets/tickets.entity.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { askPastWalls } from './sql.ts'
import { wholeRow } from './whole-records.ts'
import { WHOLE_TICKET_FILE } from './whole-ticket-file.ts'

/** `$1` is the account, `$2` a seat of it and `$3` what else a statement names. */
const SUPPLIER = `(select id from suppliers where account_id = $1 order by id limit 1)`
const CUSTOMER = `(select id from customers where account_id = $1 and name is not null and deleted_at is null order by id limit 1)`
const BUYER = `(select x.customer_id from trip_customers x where x.account_id = $1 and x.trip_id = t.id and x.is_primary)`
const FILE = `insert into files (account_id, filename, content_type, byte_size, expires_at)
  select $1, id::text, 'application/pdf', 7, null from`
const attached = (to: string, table: string, column: string) =>
  `with files as (${FILE} ${to} where account_id = $1 returning id, filename)
   insert into ${table} (account_id, file_id, ${column}) select $1, id, filename::uuid from files`

const PEOPLE = [
  `update customers set first_name = 'Ayşe', last_name = 'Yılmaz', legal_name = 'Yılmaz Ltd.', tax_number = '1234567890', tax_office = 'Kadıköy',
     tax_office_code = '034', birthday = '1980-01-01', anniversary = '2010-01-01', preferred_channel = 'email', opted_in_at = now(),
     lifecycle_stage = 'active', vip_tier = 'gold', tags = '{beach}', code = coalesce(code, 'X'), locale = 'tr',
     phone = coalesce(phone, '+905321234567'), email = coalesce(email, 'a@example.com'),
     address = '{"line": "A 1", "district": "B", "city": "İzmir", "state": "C", "zip": "35000"}' where account_id = $1`,
  `update customer_notes set author_id = $2 where account_id = $1`,
  attached('customer_notes', 'note_attachments', 'note_id'),
  `update leads set stage = 'lost', email = 'lead@example.com', phone = '+905321234567', source = 'web', estimated_value = 10, currency = 'EUR', party_size = 2,
     destinations = '{Roma}', target_departure_on = '2026-01-01', target_return_on = '2026-01-02', assigned_to_id = $2, message = 'Hello', notes = 'Note',
     adult_count = 1, child_count = 1, occasion = 'birthday', trip_type = 'family', budget_per_person = 5, tags = '{beach}', lost_reason = 'price',
     lost_notes = 'Dear', first_responded_at = now(), converted_at = now(), customer_id = ${CUSTOMER},
     trip_id = (select id from trips where account_id = $1 limit 1) where account_id = $1`,
  `update lead_moves set from_stage = 'inbox', reason = 'price', notes = 'Dear' where account_id = $1`,
  `update tasks set body = 'Call', due_at = now(), completed_at = now(), reminder_offsets = '{15}', assigned_to_id = $2, completed_by_id = $2,
     taskable_type = 'Customer', taskable_id = ${CUSTOMER} where account_id = $1`,
  `update notifications set body = 'Call', actor_id = $2, read_at = now() where account_id = $1`,
]

/** Half of the trips ended about a year ago, the others half a year ago. */
const TRIPS = [
  `update trips t set summary = 'Summary', internal_notes = 'Note', status = 'confirmed', trip_type = 'family', destinations = '{Roma}', primary_currency = 'EUR',
     cover_image_url = 'https://example.com/a.jpg', assigned_advisor_id = $2, notification_preferences = '{"survey": true}',
     start_date = current_date - n.ago - 7, end_date = current_date - n.ago
   from (select id, case row_number() over (order by id) % 2 when 0 then 340 else 180 end as ago from trips where account_id = $1) n
   where t.account_id = $1 and t.id = n.id`,
  `update trip_days set date = '2026-01-01', title = 'Day', description = 'Words', primary_location = 'Roma', latitude = 41, longitude = 12,
     timezone = 'Europe/Rome', cover_image_url = 'https://example.com/a.jpg' where account_id = $1`,
  `delete from trip_day_facts where account_id = $1`,
  `insert into trip_day_facts (account_id, trip_day_id, kind, data, provider, updated_at)
   select $1, id, kind, '{"a": 1}', 'open-meteo', now() from trip_days cross join unnest(array['weather', 'currency', 'general']) as kind where account_id = $1`,
  `update trip_segments set segment_type = 'flight', title = 'Flight', description = 'Words', start_time = '2026-01-01', end_time = '2026-01-02',
     duration_minutes = 5, location_name = 'Roma', location_address = 'Via', cover_image_url = 'https://example.com/a.jpg', flight_number = '1',
     airline_code = 'TK', departure_airport = 'IST', arrival_airport = 'FCO', price_amount = 10, currency = 'EUR', cost_amount = 8, cost_currency = 'EUR',
     commission_amount = 1, commission_rate = 10, supplier_id = ${SUPPLIER}, confirmation_number = 'ABC' where account_id = $1`,
  `insert into trip_travelers (account_id, trip_id, customer_id, position) select $1, id, ${CUSTOMER}, 99 from trips where account_id = $1`,
  `update share_links set label = 'Link', audience = 'supplier', supplier_id = ${SUPPLIER}, expires_at = now(), revoked_at = now(), last_viewed_at = now()
   where account_id = $1`,
  `delete from trip_notifications where account_id = $1`,
  `insert into trip_notifications (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, status, skipped_reason, communication_id, sent_at,
     next_attempt_at, created_at)
   select $1, id, 'welcome_home', 'email', 'traveler', 'end_date', 1, now(), 'sent', 'none', (select id from communications where account_id = $1 limit 1),
     now(), now(), now() from trips where account_id = $1`,
  `insert into surveys (account_id, trip_id, customer_id, advisor_id, started_at, completed_at, nps, comment, follow_up_task_id, reminder_due_at, next_attempt_at)
   select $1, t.id, ${BUYER}, $2, now(), now(), 3, 'Dear', (select id from tasks where account_id = $1 limit 1), now(), now()
   from trips t where account_id = $1`,
  `insert into survey_ratings (account_id, survey_id, supplier_id, rating) select $1, id, ${SUPPLIER}, 4 from surveys where account_id = $1`,
  `insert into gestures (account_id, survey_id, description, amount, currency) select $1, id, 'Wine', 5, 'EUR' from surveys where account_id = $1`,
  `insert into referral_codes (account_id, token, label, company_id, customer_id, trip_id)
   select $1, t.id::text, 'Code', t.company_id, ${BUYER}, t.id from trips t where account_id = $1 limit 3`,
]

const REST = [
  `update seats set ai_response_locale = 'en' where account_id = $1`,
  `update companies set company_type = 'agency' where account_id = $1`,
  `update accounts set trial_ends_at = now() where account_id = $1`,
  `update communications set subject = 'Subject', body_plain = 'Body', body_html = '<p>Body</p>', from_address = 'a@example.com', reply_to = 'a@example.com',
     to_addresses = '{a@example.com}', cc_addresses = '{a@example.com}', in_reply_to = 'x', external_id = 'y', metadata = '{"a": 1}', sent_at = now(),
     delivered_at = now(), read_at = now(), failed_at = now(), failure_reason = 'timeout', author_id = $2, customer_id = ${CUSTOMER},
     trip_id = (select id from trips where account_id = $1 limit 1) where account_id = $1`,
  attached('communications', 'communication_attachments', 'communication_id'),
  `update ticket_captures set filename = 'A.AIR', status = 'failed', error = 'It names Ayşe', cause = 'damaged', excerpt = 'AAA', duplicate_numbers = '{1}',
     document = '{"ticketingDeadline": "2026-01-01"}', part_number = 1, part_count = 2,
     ticket_sale_id = (select id from bookings where account_id = $1 limit 1), warnings = '[{"code": "total", "message": "Odd"}]' where account_id = $1`,
  `update webhooks set entities = '{tickets}' where account_id = $1`,
  `insert into webhook_attempts (account_id, delivery_id, number, at, status_code, error, duration_ms, response_excerpt)
   select $1, id, 1, now(), 500, 'no', 5, 'no' from webhook_deliveries where account_id = $1`,
  `update webhook_deliveries set status = 'pending', finished_at = null where account_id = $1`,
  `update webhook_events set entity = 'tickets', external_id = 'X' where account_id = $1`,
  `update saved_reports r set schedule_frequency = 'daily', schedule_hour = 5, schedule_weekday = 'monday', schedule_day = '1', paused_at = now(), paused_reason = 'no', recipients = '{a@example.com}',
     due_at = now(), next_attempt_at = now(), last_run_at = now(), preset_key = case when n % 2 = 0 then preset_key end,
     filters = case when n % 2 = 0 then '{"a": 1}'::jsonb end, definition = case when n % 2 = 1 then
       '{"entity": "customers", "columns": ["name"], "filters": [], "group_by": null, "sort": []}'::jsonb end
   from (select id, row_number() over (order by id) as n from saved_reports where account_id = $1) o where account_id = $1 and r.id = o.id`,
  `insert into saved_report_runs (account_id, saved_report_id, due_at, status, reason) select $1, id, now(), 'failed', 'no' from saved_reports where account_id = $1`,
  `update import_batches set ignored_fields = '{a}', error = 'no' where account_id = $1`,
  `update import_chunks set outcomes = '[{"index": 0, "external_id": "X", "status": "failed", "id": "0198c2c6-0000-7000-8000-000000000000", "record_status": "draft", "reason": "cancelled",
     "errors": [{"field": "a", "code": "required", "message": "Send one.", "allowed": ["a"]}],
     "warnings": [{"field": "a", "code": "required", "message": "Send one.", "allowed": ["a"]}]}]' where account_id = $1`,
  `update bookings set cancelled_at = now() where account_id = $1`,
]

/** Sets every empty field of an agency's records, without any rules, to test what is shown. */
export async function fillIn(cell: TestCell, { number, advisor }: Agency): Promise<void> {
  for (const text of [...PEOPLE, ...TRIPS, ...REST])
    await askPastWalls(cell, text, text.includes('$2') ? [number, advisor] : [number]).catch((error: Error) => {
      throw new Error(`${error.message} in ${text}`)
    })
  await askPastWalls(cell, 'update ticket_captures set document = $2 where account_id = $1', [
    number,
    JSON.stringify(WHOLE_TICKET_FILE),
  ])
  const { refunds, exchanges } = wholeRow(tickets.entity.derived)
  await askPastWalls(cell, 'update tickets set refunds = $2, exchanges = $3 where account_id = $1', [
    number,
    JSON.stringify(refunds),
    JSON.stringify(exchanges),
  ])
}
