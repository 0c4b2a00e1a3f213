import type { Agency } from '../agencies.ts'
import type { Answer, Sent } from './call.ts'

/** The exact numbers of records that an account must have in the end. */
export type Promised = {
  customers: number
  leads: number
  tasks: number
  stays: number
  captures: number
  messages: number
}

/** An account, and what those who work for it know of its records. */
export type AtWork = {
  readonly agency: Agency
  readonly promised: Promised
  readonly customers: string[]
  readonly leads: string[]
  readonly tasks: string[]
  /** Bodies of imports that were accepted, to be sent again. */
  readonly stayBatches: object[][]
  /** Where the walk of the feed is; null at its beginning. */
  cursor: string | null
  send(what: string, sent: Omit<Sent, 'key'>): Promise<Answer>
}

/** For every written message. */
export const SUBJECT = 'Your trip'

export const pickOf = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]
export const dataOf = <T>({ text }: Answer): T => (JSON.parse(text) as { data: T }).data
