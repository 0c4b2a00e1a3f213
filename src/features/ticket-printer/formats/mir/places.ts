import type { Mir } from './mir.ts'

const PAYMENT_TAGS_AT = 52

/** The numbers of the passengers that a form of payment names behind `P:`, two digits each. */
export function payersIn(line: string): number[] {
  const at = line.indexOf('P:', PAYMENT_TAGS_AT)
  return at < 0 ? [] : (/^(?:\d\d)*/.exec(line.slice(at + 2))?.[0].match(/\d\d/g) ?? []).map(Number)
}

/**
 * Sections name passengers by their number in the reservation, of which the file may hold a part; the forms of payment
 * show which. `named` are the numbers in a section; the index is undefined for passengers of another file.
 */
export function placesOf(
  mir: Mir,
  passengers: number,
  named: readonly number[],
): (number: number) => number | undefined {
  const payers = mir.items('A11').flatMap(({ line }) => payersIn(line))
  const distinct = [payers, named].map(distinctIn).find((numbers) => numbers.length === passengers)
  const isPart = distinctIn(named).length > passengers
  return (number) => {
    const place = distinct ? distinct.indexOf(number) : isPart ? -1 : number - 1
    return place >= 0 && place < passengers ? place : undefined
  }
}

const distinctIn = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((one, other) => one - other)
