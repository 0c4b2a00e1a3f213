import { money } from '../../../catalogue/amounts.ts'
import type { Field } from '../../../catalogue/kind.ts'
import { currency, string } from '../../../catalogue/kinds.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { currencyDigits } from '../../../platform/money.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { readAttributes, refuseAttributes } from '../../../records/attributes.ts'

const DESCRIPTION_MAXIMUM = 1000
const gestureAttributes = {
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
  },
  { id: pg.uuid },
  `
  insert into gestures (account_id, survey_id, description, amount, currency)
  select s.account_id, s.id, $description::text, $amount::numeric, $currency::text from surveys s
  where s.account_id = $account and s.id = $survey returning id`,
)

/** Records a goodwill gesture after a survey. Returns the id. */
export async function recordGesture(
  tx: AccountTx,
  desk: Desk,
  survey: string,
  given: Record<string, unknown>,
): Promise<string> {
  const read = readAttributes(gestureAttributes, given, { company: desk, timeZone: desk.time_zone, creates: true })
  const { description, amount = null, currency: code = null } = read as Gesture
  refuseAttributes(reasonsAgainst(amount, code))
  const kept = await tx.one(keep, { survey, description, amount, currency: code })
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
