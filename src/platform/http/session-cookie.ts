import { ownCookie } from './own-cookie.ts'

/** A session of a browser, and the account it is of. */
export type BrowserSession = { readonly account: number; readonly token: string }

const LIFE_S = 14 * 24 * 3600
/** More than anybody signs in to; a cookie holds 4096 bytes. */
export const MOST_SESSIONS = 20
const SESSION = /^([123]\d{7})\.(ses_[0-9A-Za-z]{49})$/

/** The cookie of the console: the sessions of this browser, one for each account, the last used first. */
export function sessionCookies(publicUrl: string) {
  const cookie = ownCookie(publicUrl, 'backdesk')
  return {
    read: (header: string | undefined): BrowserSession[] =>
      cookie
        .read(header)
        .split('~', MOST_SESSIONS)
        .map((text) => SESSION.exec(text))
        .flatMap((match) => (match ? [{ account: Number(match[1]), token: String(match[2]) }] : [])),
    /** The value of `Set-Cookie`. Without sessions the browser forgets the cookie. */
    write(sessions: readonly BrowserSession[]): string {
      const kept = sessions.slice(0, MOST_SESSIONS).map(({ account, token }) => `${account}.${token}`)
      return cookie.write(kept.join('~'), LIFE_S)
    },
  }
}
export type SessionCookies = ReturnType<typeof sessionCookies>
