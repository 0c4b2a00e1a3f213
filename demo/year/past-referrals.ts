import { createReferral } from '../../src/features/referrals/commands/create-referral.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { statement } from '../../src/platform/db/statement.ts'
import type { Calendar } from '../pieces/calendar.ts'
import { adultAge, mailboxOf, makePerson, personName } from '../pieces/people.ts'
import { clock } from '../pieces/times.ts'
import type { By } from './make-past-trips.ts'
import type { PastTrip } from './plan-trips.ts'
import { dayAfter } from './timeline.ts'
import { ENQUIRIES, OWN_CODES } from './words.ts'

/** Days after the return on which the customer received a code. */
const GIVEN_AFTER = 6
/** Which of the trips, the oldest first, have a code. */
const OWNERS = [0, 3, 7]
const OWN_CODES_SINCE = 330
/** How often each code led to a customer. */
const CONVERSIONS = [2, 1, 0, 3, 1]
const [FEWEST_VISITS, MOST_VISITS] = [9, 70]
/** Trips that enquiries became, counted from the latest. */
const FIRST_CONVERTED = 4
const EACH = 5
const [EARLIEST, LATEST] = [9 * 60, 21 * 60]

const note = statement(
  { account: pg.integer, codes: pg.jsonText },
  {},
  `
  update referral_codes r set created_at = g.at, visits = g.visits
  from json_to_recordset($codes::json) as g(id uuid, at timestamptz, visits integer)
  where r.account_id = $account::integer and r.id = g.id`,
)
/**
 * Leads from referral codes, with their stage changes. A lead that became a trip has the customer of the trip. All
 * share one change number, so lists order them by id: they are created in the order of their last change.
 */
const keepLeads = statement(
  { account: pg.integer, leads: pg.jsonText },
  {},
  `
  with told as (
    select g.code, g.stage, g.message, g.destinations, g.party_size, r.company_id, t.id as trip, c.id as customer,
      coalesce(c.name, g.name) as name, coalesce(c.email, g.email) as email, c.phone,
      coalesce(t.destinations, array(select json_array_elements_text(g.destinations))) as places, t.start_date, t.end_date,
      coalesce(t.assigned_advisor_id, r.assigned_to_id, a.owner_id) as seat, t.created_at as won_at,
      at.at, s.branch_id,
      coalesce(t.created_at, case g.stage when 'inbox' then at.at else at.at + interval '3 hours' end) as moved_at
    from json_to_recordset($leads::json) as g(code uuid, trip uuid, name text, email text, stage text, message text,
        destinations json, party_size integer, at timestamptz)
      join referral_codes r on r.account_id = $account::integer and r.id = g.code
      join accounts a on a.account_id = r.account_id
      left join trips t on t.account_id = r.account_id and t.id = g.trip
      left join trip_customers x on x.account_id = t.account_id and x.trip_id = t.id and x.is_primary
      left join customers c on c.account_id = x.account_id and c.id = x.customer_id
      left join seats s on s.account_id = r.account_id and s.id = coalesce(t.assigned_advisor_id, r.assigned_to_id, a.owner_id)
      cross join lateral (select coalesce(t.created_at - interval '6 days', g.at) as at) at
  ), given as materialized (
    select uuidv7() as id, t.* from (select * from told order by moved_at) t
  ), kept as (
    insert into leads (account_id, id, company_id, branch_id, name, email, phone, stage, stage_changed_at, source, party_size,
      destinations, message, target_departure_on, target_return_on, assigned_to_id, first_responded_at, customer_id, trip_id,
      converted_at, referral_code_id, created_at, updated_at)
    select $account, id, company_id, branch_id, name, email, phone, stage, moved_at, 'referral', party_size,
      places, message, start_date, end_date, seat, case when stage <> 'inbox' then at + interval '3 hours' end, customer, trip,
      won_at, code, at, moved_at
    from given
  )
  insert into lead_moves (account_id, lead_id, from_stage, to_stage, actor_id, created_at)
  select $account, g.id, m.from_stage, m.to_stage, case when m.from_stage is not null then g.seat end, m.at
  from given g cross join lateral (values (null, 'inbox', g.at), ('inbox', case g.stage when 'won' then 'qualified' else g.stage end,
      g.at + interval '3 hours'), ('qualified', 'won', g.won_at)) as m(from_stage, to_stage, at)
  where m.at is not null and m.from_stage is distinct from m.to_stage
  order by g.id, m.at`,
)

/** An open enquiry: its age in days, and its stage. */
const OPEN = [
  { days: 2, stage: 'inbox' },
  { days: 5, stage: 'qualified' },
  { days: 9, stage: 'inbox' },
  { days: 16, stage: 'proposal' },
  { days: 34, stage: 'nurturing' },
]

type Given = By & { readonly calendar: Calendar }
type Code = { readonly id: string; readonly token: string; readonly at: string }

/** Makes codes that customers and the agency hand on, with visits, enquiries, and what some became. Answers the codes. */
export async function makePastReferrals(
  tx: AccountTx,
  { random, time, desk, calendar }: Given,
  trips: readonly PastTrip[],
): Promise<Code[]> {
  const oldest = trips.toReversed()
  const owned = OWNERS.map((nth) => {
    const { id, customer, title, end } = oldest[nth] as PastTrip
    return { label: `${title}: arkadaşını getir`, customer, trip: id, day: dayAfter(end, GIVEN_AFTER) }
  })
  const own = OWN_CODES.map((label, nth) => ({
    label,
    customer: null,
    trip: null,
    day: time.ago(OWN_CODES_SINCE - 40 * nth),
  }))
  const codes: Code[] = []
  for (const { day, ...given } of [...owned, ...own]) {
    const { id, token } = await createReferral(tx, desk, { ...given, company: null, seat: null })
    codes.push({ id, token, at: time.at(day, '11:20') })
  }
  const visited = codes.map(({ id, at }) => ({ id, at, visits: random.int(FEWEST_VISITS, MOST_VISITS) }))
  tx.later(note, { codes: JSON.stringify(visited) })
  tx.later(keepLeads, {
    leads: JSON.stringify([...wonLeads(codes, trips), ...openLeads(codes, { random, time, calendar })]),
  })
  return codes
}

const wonLeads = (codes: readonly Code[], trips: readonly PastTrip[]) =>
  codes
    .flatMap((code, nth) => Array.from({ length: CONVERSIONS[nth] ?? 0 }, () => code))
    .map(({ id }, nth) => ({
      code: id,
      trip: (trips[FIRST_CONVERTED + EACH * nth] as PastTrip).id,
      stage: 'won',
    }))

const openLeads = (codes: readonly Code[], { random, time, calendar }: Pick<Given, 'random' | 'time' | 'calendar'>) =>
  OPEN.map(({ days, stage }, nth) => {
    const person = makePerson(random, calendar, adultAge(random))
    return {
      code: codes[nth % codes.length]?.id,
      name: personName(person),
      email: `${mailboxOf(person)}.r${nth}@example.com`,
      stage,
      ...ENQUIRIES[nth],
      at: time.at(time.ago(days), clock(random.int(EARLIEST, LATEST))),
    }
  })
