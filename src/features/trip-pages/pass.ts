import type { SignedText } from '../../platform/signed-text.ts'
import type { Link } from './link.store.ts'

/** How long a browser need not be asked for the password again. */
const LIFE_S = 8 * 3600
const NAME = 'trip_pass'
const MS = 1000

/** The scope of a pass, besides the cell: one link, and its current password. */
const scopeOf = ({ account, id, password }: Link) => `share link ${account} ${id} ${password}`

/** The cookie of a browser that has entered the password. It is limited to the link's address. */
export function passCookie(passes: SignedText, link: Link, { pathname, protocol }: URL, now: number): string {
  const pass = passes.write(link.account, scopeOf(link), [String(now + LIFE_S * MS)])
  const cookie = `${NAME}=${pass}; Path=${pathname}; Max-Age=${LIFE_S}; HttpOnly; SameSite=Lax`
  return protocol === 'https:' ? `${cookie}; Secure` : cookie
}

/** Whether a request brings a pass for the link that is still good. */
export function hasPass(passes: SignedText, link: Link, cookies: string | undefined, now: number): boolean {
  const own = (cookies ?? '').split(';').map((cookie) => cookie.trim().split('='))
  const goodUntil = (pass: string) =>
    Number(passes.read(link.account, scopeOf(link), pass, link.formerSecrets)?.[0] ?? 0)
  return own.some(([name, pass = '']) => name === NAME && goodUntil(pass) > now)
}
