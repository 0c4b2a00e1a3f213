import { money } from '../../../catalogue/amounts.ts'
import type { Field } from '../../../catalogue/kind.ts'
import { currency, string } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { currencyDigits } from '../../../platform/money.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { readAttributes } from '../../../records/attributes.ts'

const DESCRIPTION_MAXIMUM = 1000
export const gestureAttributes = {
  description: { ...string(DESCRIPTION_MAXIMUM), required: true },
  amount: money(),
  currency,
} satisfies Record<string, Field>
/** The default clock and currency. */
type Desk = { readonly country: string; readonly currency: string; readonly time_zone: string }
type Gesture = { description: string; amount: string | null; currency: string | null }

const keep = statement(
  {
    account: pg.integer,
    survey: pg.uuid,
    description: pg.text,
    amount: pg.nullable(pg.numeric),
    currency: pg.nullable(pg.text),
    seat: pg.nullable(pg.uuid),
  },
  { id: pg.uuid },
  `
  insert into gestures (account_id, survey_id, description, amount, currency, recorded_by_id)
  select s.account_id, s.id, $description::text, $amount::numeric, $currency::text, $seat::uuid from surveys s
  where s.account_id = $account and s.id = $survey returning id`,
)

/** Records a goodwill gesture after a survey. Returns the id. */
export async function recordGesture(
  tx: AccountTx,
  desk: Desk,
  survey: string,
  given: Record<string, unknown>,
  { seat, reasons }: { readonly seat: string | null; readonly reasons: Reasons } = {
    seat: null,
    reasons: new Reasons(),
  },
): Promise<string> {
  const place = { company: desk, timeZone: desk.time_zone, creates: true, reasons }
  const read = readAttributes(gestureAttributes, given, place)
  const { description, amount = null, currency: code = null } = read as Gesture
  if (!reasons.has('amount', 'currency')) reasons.add(...reasonsAgainst(amount, code))
  reasons.refuse()
  const kept = await tx.one(keep, { survey, description, amount, currency: code, seat })
  if (!kept) throw new RecordNotFound('survey', `No survey ${survey} exists in this account.`)
  auditOwn(tx, {
    action: 'gesture.recorded',
    subjectType: 'gesture',
    subjectId: kept.id,
    details: { survey, amount, currency: code },
  })
  return kept.id
}

function reasonsAgainst(amount: string | null, code: string | null): [attribute: string, reason: string][] {
  if ((amount === null) !== (code === null)) return [['amount', 'Send amount and currency together.']]
  if (amount === null || code === null) return []
  if (amount.startsWith('-')) return [['amount', 'Must not be negative.']]
  const digits = currencyDigits(code)
  const decimals = amount.split('.')[1]?.length ?? 0
  return decimals > digits ? [['amount', `Send at most ${digits} decimals in ${code}.`]] : []
}
