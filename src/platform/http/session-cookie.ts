/** A session of a browser, and the account it is of. */
export type BrowserSession = { readonly account: number; readonly token: string }

const LIFE_S = 14 * 24 * 3600
/** More than anybody signs in to; a cookie holds 4096 bytes. */
export const MOST_SESSIONS = 20
/** What may stand around a name. Not every space that `trim` removes: browsers do not see the prefix of a name behind one. */
const SPACE = /^[ \t]+|[ \t]+$/g
const SESSION = /^([123]\d{7})\.(ses_[0-9A-Za-z]{49})$/

/**
 * The cookie of the console: the sessions of this browser, one for each account, the last used first. Over HTTPS its name
 * has the prefix `__Host-`, so no other host of the domain can set it (RFC 6265bis); over plain HTTP browsers refuse it.
 */
export function sessionCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-backdesk' : 'backdesk'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(header: string | undefined): BrowserSession[] {
      const own = (header ?? '').split(';').map((pair) => pair.replace(SPACE, '').split('='))
      const value = own.find(([each]) => each === name)?.[1] ?? ''
      return value
        .split('~', MOST_SESSIONS)
        .map((text) => SESSION.exec(text))
        .flatMap((match) => (match ? [{ account: Number(match[1]), token: String(match[2]) }] : []))
    },
    /** The value of `Set-Cookie`. Without sessions the browser forgets the cookie. */
    write(sessions: readonly BrowserSession[]): string {
      const value = sessions
        .slice(0, MOST_SESSIONS)
        .map(({ account, token }) => `${account}.${token}`)
        .join('~')
      return `${name}=${value}; ${attributes}; Max-Age=${value === '' ? 0 : LIFE_S}`
    },
  }
}
export type SessionCookies = ReturnType<typeof sessionCookies>
