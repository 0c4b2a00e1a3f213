import { type Billing, type BillingLine, BillingRefused, checkDigitOf, MOST_DOCUMENTS, someOf } from '../billing.ts'
import { isVoid, transactionOf } from '../codes.ts'
import {
  agentAt,
  amountAt,
  fieldOf,
  type HotRecord,
  hotDayAt,
  hotRecords,
  inFixed,
  numberAt,
  type Unit,
  unitAt,
} from './hot-fields.ts'
import { type HotTotals, hotTotals } from './hot-totals.ts'

/** The office that documents are of. */
type Office = { readonly agent: string; readonly periodOn: string; readonly unit: Unit }
type Amount = 'fare' | 'taxes' | 'total' | 'exchanged' | 'commission' | 'remittance'
/** A document while its records are read; amounts in the smallest unit. */
type Document = {
  readonly line: number
  readonly own: string
  readonly code: string
  readonly agent: string
  readonly issuedOn: string
  readonly office: Office
  /** The refunded document, if stated. */
  related: string | null
  unit: Unit | null
} & Record<Amount, bigint>

type Reading = {
  sequence: number | null
  office: Office | null
  document: Document | null
  readonly lines: BillingLine[]
  readonly warnings: string[]
  readonly totals: HotTotals
}

/** Whether a text is a HOT file, by its first record. */
export const isHot = (text: string): boolean => /^\s*BFH\d{8}01/.test(text)

/**
 * Reads a HOT file of IATA's BSP (DISH, revisions 20 to 23), or several concatenated ones. Its records are numbered and
 * its totals stated three times, so a damaged or incomplete file is refused.
 */
export function readHot(text: string): Billing {
  const reading: Reading = {
    sequence: null,
    office: null,
    document: null,
    lines: [],
    warnings: [],
    totals: hotTotals(),
  }
  let last = 1
  for (const record of hotRecords(text)) {
    if (record.id === 'BFH01' && reading.sequence !== null) reading.totals.end(record.line)
    takeSequence(reading, record)
    if (!reading.totals.check(record)) READERS[record.id]?.(reading, record)
    else close(reading)
    last = record.line
  }
  reading.totals.end(last)
  return { format: 'hot', lines: reading.lines, warnings: someOf(reading.warnings) }
}

function takeSequence(reading: Reading, record: HotRecord): void {
  const text = fieldOf(record, 4, 8)
  const sequence = Number(text)
  const expected = record.id === 'BFH01' || reading.sequence === null ? sequence : reading.sequence + 1
  if (!/^\d{8}$/.test(text) || sequence !== expected)
    throw new BillingRefused(
      `the record has the number ${text}, but ${expected} is expected. Records are missing.`,
      record.line,
    )
  reading.sequence = sequence
}

/** The records that are needed; all others are skipped. */
const READERS: Readonly<Record<string, (reading: Reading, record: HotRecord) => void>> = {
  BFH01(reading, record) {
    const [revision, status] = [fieldOf(record, 20, 3), fieldOf(record, 23, 4)]
    if (!/^2[0-3]\d$/.test(revision))
      throw new BillingRefused(
        `the file uses revision ${revision} of the DISH. Revisions 200 to 239 are supported.`,
        record.line,
      )
    if (status !== 'PROD')
      throw new BillingRefused('this is a test file of the BSP. It does not bill anything.', record.line)
    reading.totals.begin('file')
    reading.office = null
  },
  BCH02({ totals }) {
    totals.begin('cycle')
  },
  BOH03(reading, record) {
    close(reading)
    reading.totals.begin('office')
    reading.office = { agent: agentAt(record, 14), periodOn: hotDayAt(record, 22), unit: unitAt(record, 28) }
  },
  BKT06: close,
  BKS24: openDocument,
  BKS30(reading, record) {
    const unit = unitAt(record, 133)
    const { document } = reading
    if (document?.unit && document.unit.key !== unit.key)
      throw new BillingRefused(
        `the amounts of the document are in different currencies: ${document.unit.key} above.`,
        record.line,
      )
    add(reading, record, unit, { fare: [41], taxes: [71, 90, 109], total: [120] })
  },
  BKS39(reading, record) {
    // The effective commission, with the supplementary one; else the plain one.
    const at = fieldOf(record, 93, 11) === '' ? 55 : 93
    add(reading, record, unitAt(record, 133), { commission: [at] })
  },
  BKS45({ document }, record) {
    if (document && document.related === null && fieldOf(record, 26, 14) !== '') document.related = numberAt(record, 26)
  },
  BKP84(reading, record) {
    const isExchange = fieldOf(record, 26, 10).startsWith('EX')
    add(reading, record, unitAt(record, 133), { remittance: [98], ...(isExchange && { exchanged: [36] }) })
  },
}

function openDocument(reading: Reading, record: HotRecord): void {
  const { office, warnings } = reading
  if (!office) throw new BillingRefused('a document precedes the header of its office (BOH03).', record.line)
  if (fieldOf(record, 45, 3) === 'CNJ') return // the document above has the money
  close(reading)
  const own = numberAt(record, 26)
  const digit = fieldOf(record, 40, 1)
  if (/\d/.test(digit) && digit !== checkDigitOf(own))
    warnings.push(`Line ${record.line}: the check digit of document ${own} should be ${digit}.`)
  reading.document = {
    line: record.line,
    own,
    code: fieldOf(record, 72, 4),
    agent: fieldOf(record, 48, 8) === '' ? office.agent : agentAt(record, 48),
    issuedOn: hotDayAt(record, 14),
    office,
    related: null,
    unit: null,
    fare: 0n,
    taxes: 0n,
    total: 0n,
    exchanged: 0n,
    commission: 0n,
    remittance: 0n,
  }
}

/** Adds the amounts at these positions to the current document, and to the totals. */
function add(
  { document, totals }: Reading,
  record: HotRecord,
  unit: Unit,
  places: Partial<Record<Amount, readonly number[]>>,
): void {
  if (!document) throw new BillingRefused(`the ${record.id} does not belong to a document.`, record.line)
  document.unit ??= unit
  for (const [name, at] of Object.entries(places) as [Amount, readonly number[]][]) {
    const amount = at.reduce((sum, place) => sum + amountAt(record, place, 11), 0n)
    document[name] += amount
    if (name === 'total' || name === 'remittance' || name === 'commission') totals.add(unit, name, amount)
  }
}

/** The document that was read is whole. */
function close(reading: Reading): void {
  const { document, lines } = reading
  if (!document) return
  const { line, own, code, agent, issuedOn, office, related, unit } = document
  if (!/^[A-Z0-9]{4}$/.test(code)) throw new BillingRefused(`the document ${own} has no transaction code.`, line)
  if (lines.length === MOST_DOCUMENTS)
    throw new BillingRefused(`the file has more than ${MOST_DOCUMENTS} documents.`, line)
  const amounts = unit ?? office.unit
  const transaction = transactionOf(code, document.total)
  lines.push({
    line,
    number: transaction === 'refund' ? (related ?? own) : own,
    code,
    transaction,
    void: isVoid(code),
    agent,
    issuedOn,
    periodOn: office.periodOn,
    currency: amounts.currency,
    fare: inFixed(document.fare, amounts),
    taxes: inFixed(document.taxes, amounts),
    total: inFixed(document.total, amounts),
    exchanged: inFixed(document.exchanged, amounts),
    commission: -inFixed(document.commission, amounts),
    remittance: inFixed(document.remittance, amounts),
  })
  reading.document = null
}
