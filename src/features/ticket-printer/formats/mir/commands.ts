import type { DocumentAction } from '../../ticket-file.ts'

export type Command = {
  readonly action: DocumentAction
  /** The documents that it concerns. A file about tickets can have an EMD instead. */
  readonly holds: 'tickets' | 'emds' | 'both'
}

/** The action of a file, by the letter in its header. */
const COMMANDS: Readonly<Record<string, Command>> = {
  H: { action: 'issue', holds: 'both' },
  A: { action: 'issue', holds: 'both' },
  F: { action: 'issue', holds: 'emds' },
  I: { action: 'exchange', holds: 'emds' },
  V: { action: 'void', holds: 'tickets' },
  S: { action: 'void', holds: 'tickets' },
  Z: { action: 'void', holds: 'emds' },
  U: { action: 'restore', holds: 'tickets' },
  R: { action: 'refund', holds: 'tickets' },
  D: { action: 'refund', holds: 'emds' },
  C: { action: 'refund_cancel', holds: 'tickets' },
}
const ITINERARY: Command = { action: 'itinerary', holds: 'tickets' }
/** Invoices, itineraries and other prints, which issue nothing. */
const PRINTS = 'NJBXELG'

/** Null for an unknown letter. */
export const commandOf = (letter: string): Command | null =>
  COMMANDS[letter] ?? (letter !== '' && PRINTS.includes(letter) ? ITINERARY : null)
