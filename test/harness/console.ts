import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { OPERATOR } from './agency.ts'
import type { Answer, TestCell } from './cell.ts'

/** The value of the cookie that an answer sets; empty where it ends all sessions. */
export const cookieOf = ({ headers }: Answer): string =>
  /^backdesk=([^;]*)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? ''

/** The values of the cookies that an answer sets, by name. */
export const setCookies = ({ headers }: Pick<Answer, 'headers'>): Record<string, string> =>
  Object.fromEntries(
    [headers['set-cookie'] ?? []]
      .flat()
      .map((cookie) => cookie.split(';', 1)[0]?.split('=') ?? [])
      .map(([name, ...value]) => [name, value.join('=')]),
  )

/** Signs a seat in, named by its id or e-mail. Answers the cookie of its browser. */
export async function signInAs(cell: TestCell, account: number, seat: string, browser = ''): Promise<string> {
  const { token } = await cell.deps.db.inAccount(account, (tx) => makeLink(tx, seat, 'sign_in'), OPERATOR)
  const answer = await cell.call('POST', '/app/v1/sign_in/link', { body: { token }, session: browser })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return cookieOf(answer)
}
