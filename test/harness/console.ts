import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { OPERATOR } from './agency.ts'
import type { Answer, TestCell } from './cell.ts'

/** The value of the cookie that an answer sets; empty where it ends all sessions. */
export const cookieOf = ({ headers }: Answer): string =>
  /^backdesk=([^;]*)/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? ''

/** Signs a seat in, named by its id or e-mail. Answers the cookie of its browser. */
export async function signInAs(cell: TestCell, account: number, seat: string, browser = ''): Promise<string> {
  const { token } = await cell.deps.db.inAccount(account, (tx) => makeLink(tx, seat, 'sign_in'), OPERATOR)
  const answer = await cell.call('POST', '/app/v1/sign_in/link', { body: { token }, session: browser })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return cookieOf(answer)
}
