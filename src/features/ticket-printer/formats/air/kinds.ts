import { type DocumentAction, Unreadable } from '../../ticket-file.ts'
import type { Warn } from '../warnings.ts'

/** Types about a change of the reservation or the check-in, without a sale. */
const UPDATES = ['AU', 'AR', 'AB', 'AD']
/** Documents of air travel with a form of their own. */
const BY_HAND: Readonly<Record<string, string>> = {
  P: 'a prepaid ticket advice',
  A: 'an additional collection',
  O: 'an order',
  MR: 'a manual registration',
}
const NO_TICKETS: Readonly<Record<string, string>> = {
  RA: 'a rail ticket',
  CV: 'a car voucher',
  IV: 'an insurance voucher',
  HV: 'a hotel voucher',
}
const ACTIONS: Readonly<Record<string, DocumentAction>> = { VOID: 'void', RSTD: 'restore', TRFX: 'refund_cancel' }
/** Issues of tickets, EMDs and MCOs, copies of e-tickets, invoices, and files sent again manually. */
const SALES = /^(?:\d[A-Z]|IA|IB|BT)$/

type FileMarks = {
  readonly option: string
  /** `VOID`, `RSTD`, `TRFX` or empty. */
  readonly action: string
  /** Whether a passenger has R-, the mark of a refund. */
  readonly hasRefund: boolean
}

/** The action of a file by its type. Its documents show whether an issue is an exchange. */
export function actionOf({ option, action, hasRefund }: FileMarks, warn: Warn): DocumentAction | Unreadable {
  if (NO_TICKETS[option])
    return new Unreadable(
      `The file is ${NO_TICKETS[option]} (AIR type ${option}). It does not issue a ticket.`,
      'unknown_kind',
    )
  if (BY_HAND[option]) {
    warn(
      'enter_by_hand',
      `The file is ${BY_HAND[option]} (AIR type ${option}), which is not supported. Enter it by hand.`,
    )
    return 'itinerary'
  }
  if (option === 'IM' || UPDATES.includes(option)) return 'itinerary'
  if (option === 'RF') return 'refund'
  if (option === 'MA' || option === 'CA') return changeOf(option, action, hasRefund, warn)
  if (!SALES.test(option)) warn('unknown_type', `The AIR type "${option}" is not known. The file was read as an issue.`)
  return 'issue'
}

/** Voiding a refund cancels it. */
function changeOf(option: string, action: string, hasRefund: boolean, warn: Warn): DocumentAction | Unreadable {
  const change = ACTIONS[action]
  if (change) return change === 'void' && hasRefund ? 'refund_cancel' : change
  if (option === 'MA') {
    return new Unreadable(
      'The file does not state whether it voids its document, or cancels a void or a refund.',
      'unknown_kind',
    )
  }
  warn('cancellation', 'The file cancels its document without stating how. It was read as a void. Check it.')
  return hasRefund ? 'refund_cancel' : 'void'
}
