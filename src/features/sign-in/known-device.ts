import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ownCookie } from '../../platform/http/own-cookie.ts'
import type { Mac } from '../../platform/signed-text.ts'
import { folded } from './folded-email.ts'

const DAY_S = 24 * 3600
const LIFE_S = 180 * DAY_S
/** People who sign in to one browser. */
const MOST_PEOPLE = 5
const ID_BYTES = 8
const ENTRY = /^([0-9a-z]{1,9}\.[\w-]{11})\.([\w-]{22})$/

/**
 * Remembers in a browser who has signed in to it, by a keyed hash of the e-mail address. Such a browser is not kept
 * waiting by strangers who try to sign in as the same person. It does not sign anybody in. `now` is milliseconds since the epoch.
 */
export function knownDevices(publicUrl: string, mac: Mac, now: number) {
  const cookie = ownCookie(publicUrl, 'backdesk-device')
  const markOf = (id: string, email: string) => mac('device', `${id} ${folded(email)}`)
  const entriesOf = (header: string | undefined) =>
    cookie
      .read(header)
      .split('~', MOST_PEOPLE)
      .map((text) => ENTRY.exec(text))
      .flatMap((match) => (match ? [{ text: match[0], id: String(match[1]), mark: String(match[2]) }] : []))
      .filter(({ id }) => Number.parseInt(id, 36) + LIFE_S > now / 1000)
  const isOf = (email: string, { id, mark }: { id: string; mark: string }) =>
    timingSafeEqual(Buffer.from(mark, 'base64url'), markOf(id, email))
  return {
    /** The id of a browser that this person has signed in to; null for any other. */
    find: (header: string | undefined, email: string): string | null =>
      entriesOf(header).find((entry) => isOf(email, entry))?.id ?? null,
    /** The value of `Set-Cookie` for a browser that this person signs in to. */
    remember(header: string | undefined, email: string): string {
      const others = entriesOf(header).filter((entry) => !isOf(email, entry))
      const id = `${Math.floor(now / 1000).toString(36)}.${randomBytes(ID_BYTES).toString('base64url')}`
      const own = `${id}.${markOf(id, email).toString('base64url')}`
      return cookie.write([own, ...others.map(({ text }) => text)].slice(0, MOST_PEOPLE).join('~'), LIFE_S)
    },
  }
}
