import { complete, type Findings, missing, readCells, type Values } from '../../../catalogue/read-cells.ts'
import type { Company } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { keepNewLead } from '../keep-new-lead.ts'
import { leadAttributes, returnsTooEarly } from '../lead-attributes.ts'

const { name, email, phone, destinations, target_departure_on, target_return_on, flexible_dates, party_size, message } =
  leadAttributes
/** The attributes of a trip enquiry by form. */
export const enquiryAttributes = {
  name,
  email,
  phone,
  destinations,
  target_departure_on,
  target_return_on,
  flexible_dates,
  party_size,
  message,
}
export type EnquiryAttribute = keyof typeof enquiryAttributes
/** The error of an attribute: the code of an issue of its kind, `unreachable` or `before_departure`. */
export type EnquiryIssue = { readonly at: EnquiryAttribute; readonly code: string }

type Place = { readonly company: Pick<Company, 'country' | 'currency'>; readonly timeZone: string }

/** Reads an enquiry like a write of a lead. An e-mail or phone is required. */
export function readEnquiry(
  given: Readonly<Record<EnquiryAttribute, unknown>>,
  { company: { country, currency }, timeZone }: Place,
): { readonly values: Values; readonly flaws: readonly EnquiryIssue[] } {
  const found: Findings = { errors: [], warnings: [], ignored: new Set() }
  const values = readCells(enquiryAttributes, given, { decimalSeparator: '.', country, currency, timeZone }, found)
  const errors = [...found.errors, ...missing(enquiryAttributes, values, found.errors)]
  const flaws = errors.map(({ at, code }) => ({ at: at as EnquiryAttribute, code }))
  if (values.email === null && values.phone === null) flaws.push({ at: 'email', code: 'unreachable' })
  if (returnsTooEarly(values)) flaws.push({ at: 'target_return_on', code: 'before_departure' })
  return { values, flaws }
}

type Enquiry = {
  /** The id of the new lead. */
  readonly id: string
  readonly company: string
  readonly branch: string | null
  /** The assigned seat. */
  readonly seat: string | null
  readonly referral: string
}

/** Creates a lead in the inbox from an enquiry. It has no author, so its assignee is notified. */
export function keepEnquiry(tx: AccountTx, { seat, ...lead }: Enquiry, values: Values): void {
  const record = complete(leadAttributes, { ...values, source: 'referral', assigned_to_id: seat })
  keepNewLead(tx, { ...lead, stage: 'inbox', actor: null }, record)
}
