/** The first account number of each residency region; a number determines the region of its account. */
const FIRST = { tr: 10_000_000, eu: 20_000_000, am: 30_000_000 } as const
/** Account numbers that one region has. */
const BAND = 10_000_000

export type Region = keyof typeof FIRST
/** From the first to the last, both among them. */
export type AccountNumbers = { readonly first: number; readonly last: number }

export const bandOf = (region: Region): AccountNumbers => ({ first: FIRST[region], last: FIRST[region] + BAND - 1 })
export const isOf = ({ first, last }: AccountNumbers, number: number): boolean => number >= first && number <= last

/** Reads `20100000-20199999`; null for anything else. */
export function readAccountNumbers(text: string): AccountNumbers | null {
  const [, first = '', last = ''] = /^([123]\d{7})-([123]\d{7})$/.exec(text) ?? []
  return first !== '' && first <= last ? { first: Number(first), last: Number(last) } : null
}
