import type { Fixed } from '../../platform/money.ts'

/** Whether an airline asks for money or gives it back. */
export type Transaction = 'sale' | 'refund'

/** Documents that were issued and voided. */
const VOIDS: ReadonlySet<string> = new Set(['CANX', 'CANN', 'CANR'])
/** Refunds, and credit memos. */
const REFUNDS: ReadonlySet<string> = new Set('RFND RFNC ACMA ACMD ACMR ACMS ACNT SPCR SSAC'.split(' '))
/** Voids of a refund; all others are of a sale. */
const VOID_REFUND = 'CANR'
/** What people write instead of IATA's transaction codes. */
const WORDS: Readonly<Record<string, string>> = {
  TKT: 'TKTT',
  TICKET: 'TKTT',
  SALE: 'TKTT',
  EMD: 'EMDS',
  RFD: 'RFND',
  REFUND: 'RFND',
  VOID: 'CANX',
  VOIDED: 'CANX',
  ADM: 'ADMA',
  ACM: 'ACMA',
}

/** The transaction code; without one, it is derived from the amount. */
export function transactionCodeOf(written: string, total: Fixed): string {
  const code = written.trim().toUpperCase()
  if (code === '') return total < 0n ? 'RFND' : 'TKTT'
  return WORDS[code] ?? code
}

export const isVoid = (code: string): boolean => VOIDS.has(code)

/** Issues and debit memos are sales. An unknown code is classified by its amount. */
export const transactionOf = (code: string, total: Fixed): Transaction =>
  REFUNDS.has(code) || code === VOID_REFUND || total < 0n ? 'refund' : 'sale'
