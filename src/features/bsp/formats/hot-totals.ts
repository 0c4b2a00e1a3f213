import { BillingRefused } from '../billing.ts'
import { amountAt, type HotRecord, type Unit, unitAt } from './hot-fields.ts'

/** The sums of control records: documents, their remittance, and commissions, which are negative. */
const ADDED = ['total', 'remittance', 'commission'] as const
type Added = (typeof ADDED)[number]
type Sums = Record<Added, bigint>

/** The subject of a control record, and the position of its amounts; each has 15 characters. */
const CONTROL = { BOT94: ['office', 28], BCT95: ['cycle', 23], BFT99: ['file', 22] } as const
type Level = (typeof CONTROL)[keyof typeof CONTROL][0]
const AMOUNT_LENGTH = 15
const LEVELS: readonly Level[] = ['office', 'cycle', 'file']

/** Sums what is read, and compares it with the totals in the file. */
export type HotTotals = {
  add(unit: Unit, added: Added, amount: bigint): void
  /** Resets the sums of an office, a cycle or a file, and everything within it. */
  begin(level: Level): void
  /** Whether the record is a control record, which holds. */
  check(record: HotRecord): boolean
  /** The file has ended: all of it was compared. */
  end(line: number): void
}

export function hotTotals(): HotTotals {
  const sums: Record<Level, Map<string, Sums>> = { office: new Map(), cycle: new Map(), file: new Map() }
  const checked = new Set<string>()
  let isEnded = false
  return {
    add({ key }, added, amount) {
      for (const level of LEVELS) {
        const sum = sums[level].get(key) ?? { total: 0n, remittance: 0n, commission: 0n }
        sum[added] += amount
        sums[level].set(key, sum)
      }
    },
    begin(level) {
      for (const each of LEVELS.slice(0, LEVELS.indexOf(level) + 1)) sums[each].clear()
      if (level !== 'file') return
      checked.clear()
      isEnded = false
    },
    check(record) {
      const [level, at] = CONTROL[record.id as keyof typeof CONTROL] ?? []
      if (level === undefined) return false
      isEnded ||= level === 'file'
      const key = record.text.slice(-4).trim()
      if (key === '') return true // of a file without documents
      compare(record, at, sums[level].get(unitAt(record, 133).key))
      if (level === 'file') checked.add(key)
      return true
    },
    end(line) {
      if (!isEnded) throw new BillingRefused('the file ends without its totals (BFT99). Download it again.', line)
      const unchecked = [...sums.file].find(
        ([key, sum]) => !checked.has(key) && ADDED.some((added) => sum[added] !== 0n),
      )
      if (unchecked)
        throw new BillingRefused(`the file has no totals (BFT99) for ${unchecked[0]}. Download it again.`, line)
    },
  }
}

function compare(record: HotRecord, at: number, sums: Sums | undefined): void {
  ADDED.forEach((added, nth) => {
    const stated = amountAt(record, at + nth * AMOUNT_LENGTH, AMOUNT_LENGTH)
    const found = sums?.[added] ?? 0n
    if (stated === found) return
    throw new BillingRefused(
      `the ${added}s above add up to ${found}, but ${record.id} has ${stated}. The file is damaged. Download it again.`,
      record.line,
    )
  })
}
