import { createHash } from 'node:crypto'
import type { Database } from '../../../platform/db/database.ts'
import { currencyDigits, type Fixed, print } from '../../../platform/money.ts'
import { findDesk } from '../../accounts/reads/find-desk.ts'
import { type Billing, type BillingLine, BillingRefused } from '../billing.ts'
import { findSameFile, insertBilling, insertLines } from '../billings.store.ts'
import type { CsvOptions } from '../formats/csv.ts'
import { readBilling } from '../read-billing.ts'

/** A file of an agency's billings in a period is a tenth of it. */
export const MOST_BYTES = 64 * 1024 * 1024

export type BillingFile = {
  /** The company that is billed; null for the default one. */
  readonly company: string | null
  readonly bytes: Uint8Array
  readonly filename: string
  readonly csv: CsvOptions
}
export type ImportedBilling = {
  readonly id: string
  readonly status: 'imported' | 'unchanged'
  readonly format: Billing['format']
  readonly documents: number
  readonly first_issue: string
  readonly last_issue: string
  readonly totals: readonly { currency: string; total: string; commission: string; remittance: string }[]
  readonly warnings: readonly string[]
}
const FILENAME = 255

/** Takes a file of billings as a whole, or not at all; the same bytes again change nothing. */
export async function importBilling(db: Database, account: number, file: BillingFile): Promise<ImportedBilling> {
  const { bytes, csv, company } = file
  if (bytes.length > MOST_BYTES) throw new BillingRefused(`The file has more than ${MOST_BYTES / 1024 / 1024} MiB.`)
  const { format, lines, warnings } = readBilling(bytes, csv)
  const digest = createHash('sha256').update(bytes).digest()
  const filename = file.filename.slice(0, FILENAME).toWellFormed()
  const kept = await db.inAccount(account, async (tx) => {
    const desk = await findDesk(tx, company)
    const made = await tx.one(insertBilling, { company: desk.company, format, filename, digest })
    if (!made) return { status: 'unchanged', ...(await tx.one(findSameFile, { digest })) } as const
    await tx.all(insertLines, { billing: made.id, lines: JSON.stringify(lines, amountsAsText) })
    return { status: 'imported', ...made } as const
  })
  if (kept.id === undefined) throw new Error('The billing was removed while it was imported. Import it again.')
  const days = lines.map(({ issuedOn }) => issuedOn).sort()
  return {
    id: kept.id,
    status: kept.status,
    format,
    documents: lines.length,
    first_issue: days[0] as string,
    last_issue: days.at(-1) as string,
    totals: totalsOf(lines),
    warnings,
  }
}

const amountsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? print(value) : value)

/** What a clerk compares with the airline's or BSP's own summary. */
function totalsOf(lines: readonly BillingLine[]): ImportedBilling['totals'] {
  const byCurrency = Map.groupBy(lines, ({ currency }) => currency)
  return [...byCurrency.entries()].toSorted().map(([currency, theirs]) => {
    const sum = (name: 'total' | 'commission' | 'remittance') =>
      printed(
        theirs.reduce((total, line) => total + (line[name] ?? 0n), 0n),
        currency,
      )
    return { currency, total: sum('total'), commission: sum('commission'), remittance: sum('remittance') }
  })
}

/** With the digits of its currency. */
function printed(amount: Fixed, currency: string): string {
  const [whole = '', decimals = ''] = print(amount).split('.')
  const digits = Math.max(currencyDigits(currency), decimals.length)
  return digits === 0 ? whole : `${whole}.${decimals.padEnd(digits, '0')}`
}
