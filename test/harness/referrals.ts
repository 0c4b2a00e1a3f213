import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { createReferral, type NewReferral } from '../../src/features/referrals/commands/create-referral.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'

type Headers = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, string>>
/** What an enquiry became. */
export type EnquiredLead = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }

export const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
/** Longer than a form may take that no person has filled in. */
const WRITING_MS = 20_000
export const ENQUIRY = { name: 'Ayşe Yılmaz', email: 'ayse@example.com' }

/** Helpers for referral codes and visitors, in a cell that exists once the tests run. */
export function referralsOf(cell: () => TestCell) {
  const make = ({ number }: Pick<Agency, 'number'>, given: Partial<NewReferral> = {}) =>
    cell().deps.db.inAccount(number, async (tx) =>
      createReferral(tx, await findDesk(tx, null), {
        label: null,
        customer: null,
        trip: null,
        company: null,
        seat: null,
        ...given,
      }),
    )
  const open = (token: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET', remoteAddress = '203.0.113.5') =>
    cell().app.inject({ method, url: `/r/${token}`, headers: { 'user-agent': BROWSER, ...headers }, remoteAddress })
  const send = (
    token: string,
    fields: Fields | string | Buffer,
    headers: Headers = {},
    remoteAddress = '203.0.113.5',
  ) =>
    cell().app.inject({
      method: 'POST',
      url: `/r/${token}`,
      headers: { 'user-agent': BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: typeof fields === 'string' || Buffer.isBuffer(fields) ? fields : new URLSearchParams(fields).toString(),
      remoteAddress,
    })
  /** Opens the page, and returns its form after the minimum time to fill it in. */
  async function formOf(token: string): Promise<string> {
    const form = formIn((await open(token)).body)
    cell().clock.add(WRITING_MS)
    return form
  }
  return {
    make,
    open,
    send,
    formOf,
    /** Opens the page, fills the form in and sends it. */
    enquire: async (token: string, fields: Fields = {}, headers: Headers = {}, address?: string) =>
      send(token, { form: await formOf(token), ...ENQUIRY, ...fields }, headers, address),
    leadsOf: (code: string) =>
      ask<EnquiredLead>(
        cell(),
        `select *, target_departure_on::text, target_return_on::text from leads where referral_code_id = $1 order by created_at, id`,
        [code],
      ),
    visitsOf: async (code: string): Promise<number> =>
      (await ask<{ visits: number }>(cell(), 'select visits from referral_codes where id = $1', [code]))[0]?.visits ??
      -1,
  }
}

/** The signed text of the form on a page. */
export const formIn = (body: string): string => /name="form" value="([^"]+)"/.exec(body)?.[1] ?? ''
/** The value of a form field on a page, as written in the page. */
export const typedInto = (body: string, name: string): string | undefined =>
  (new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(body) ??
    new RegExp(`<textarea[^>]* name="${name}"[^>]*>\\n([^<]*)`).exec(body))?.[1]
