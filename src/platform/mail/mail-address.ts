/** The sender of a mail. */
export type MailAddress = { readonly name: string | null; readonly address: string }

const BARE = /^[^<>\s@]+@[^<>\s@]+$/
const NAME = /^"?([^"<>]*)"?$/

/** Parses `Name <name@domain>`, or the plain address; null for anything else. */
export function readMailAddress(text: string): MailAddress | null {
  if (BARE.test(text)) return { name: null, address: text }
  // In pieces, since one pattern for both would try every blank of a long text as the end of the name.
  const at = text.lastIndexOf('<')
  const address = text.endsWith('>') ? text.slice(at + 1, -1) : ''
  const named = NAME.exec(text.slice(0, Math.max(at, 0)).trimEnd())
  return at >= 0 && named && BARE.test(address) ? { name: named[1] || null, address } : null
}

/** In lower case; empty if there is none. */
export const domainOf = (address: string): string => /@([^@]+)$/.exec(address)?.[1]?.toLowerCase() ?? ''

/** In a name without quotes these mean something, */
const SPECIAL = /[()[\]:;@,.]/
/** and these in any name. */
const UNSPEAKABLE = /["\\<>]/g

/** An e-mail address with its display name, if any. */
export function namedAddress(name: string, address: string): string {
  const spoken = name.replaceAll(UNSPEAKABLE, '').trim()
  if (spoken === '') return address
  return `${SPECIAL.test(spoken) ? `"${spoken}"` : spoken} <${address}>`
}
