import type { Amount } from './mir-scenario.ts'

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

export type Field = readonly [at: number, width: number, text: string | undefined, side?: 'right' | 'zeros']
/** A line with each text at its offset. */
export function lay(fields: readonly Field[], width = 0): string {
  let line = ''
  for (const [at, length, text = '', side] of fields) {
    const cut = text.slice(0, length)
    const filled = side ? cut.padStart(length, side === 'zeros' ? '0' : ' ') : cut.padEnd(length)
    line = line.padEnd(at).slice(0, at) + filled + line.slice(at + length)
  }
  return line.padEnd(width)
}

/** `05MAR26` */
export const shortDay = (day: string): string => `${dayMonth(day)}${day.slice(2, 4)}`
export const dayMonth = (day: string): string => `${day.slice(8, 10)}${MONTHS[Number(day.slice(5, 7)) - 1]}`
export const two = (number: number): string => String(number).padStart(2, '0')
export const money = (at: number, amount: Amount | undefined): Field[] => [
  [at, 3, amount?.currency],
  [at + 3, 12, amount?.amount, 'right'],
]
