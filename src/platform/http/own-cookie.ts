/** What may stand around a name. Not every space that `trim` removes: browsers do not see the prefix of a name behind one. */
const SPACE = /^[ \t]+|[ \t]+$/g

/**
 * A cookie that no script reads and no other site's write brings along. Over HTTPS its name has the prefix `__Host-`, so
 * no other host of the domain can set it (RFC 6265bis); over plain HTTP browsers refuse it.
 */
export function ownCookie(publicUrl: string, base: string) {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? `__Host-${base}` : base
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    /** Its value in the header `Cookie`; empty if it is not there. */
    read(header: string | undefined): string {
      const own = (header ?? '').split(';').map((pair) => pair.replace(SPACE, '').split('='))
      return own.find(([each]) => each === name)?.[1] ?? ''
    },
    /** The value of `Set-Cookie`. Without a value the browser forgets the cookie. */
    write: (value: string, lifeS: number): string =>
      `${name}=${value}; ${attributes}; Max-Age=${value === '' ? 0 : lifeS}`,
  }
}
