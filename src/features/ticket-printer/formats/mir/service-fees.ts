import type { PrintedMoney } from '../../ticket-file.ts'
import { printedMoney } from './amounts.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'

const FEE = { name: [3, 55] } as const
/** In the line behind the name. The second pair has the total fee. */
const AMOUNTS = { currency: [15, 3], total: [18, 12, 'amount'] } as const
const NAME_OF_PASSENGER = 33

/** The agency's own fees by passenger name, cut to the length that names have elsewhere in the file. */
export function serviceFeesOf(mir: Mir): ReadonlyMap<string, PrintedMoney> {
  const fees = new Map<string, PrintedMoney>()
  for (const { line, more } of mir.items('A32')) {
    const { currency, total } = cutLine(more[0] ?? '', AMOUNTS)
    const fee = printedMoney(currency, total, "agency's service fee", mir.warn)
    if (fee) fees.set(cutLine(line, FEE).name.slice(0, NAME_OF_PASSENGER).trim(), fee)
    else mir.warn('service_fee', 'The file has an agency service fee that cannot be read. Enter it by hand.')
  }
  return fees
}
