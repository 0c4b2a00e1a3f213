/** Who a mail is from. */
export type MailAddress = { readonly name: string | null; readonly address: string }

const NAMED = /^"?([^"<>]*?)"?\s*<([^<>\s@]+@[^<>\s@]+)>$/
const BARE = /^[^<>\s@]+@[^<>\s@]+$/

/** Reads `Name <name@domain>`, or the address alone; null for anything else. */
export function readMailAddress(text: string): MailAddress | null {
  if (BARE.test(text)) return { name: null, address: text }
  const [, name, address] = NAMED.exec(text) ?? []
  return address === undefined ? null : { name: name || null, address }
}

/** In lower case; empty where there is none. */
export const domainOf = (address: string): string => /@([^@]+)$/.exec(address)?.[1]?.toLowerCase() ?? ''

/** In a name without quotes these mean something, */
const SPECIAL = /[()[\]:;@,.]/
/** and these in any name. */
const UNSPEAKABLE = /["\\<>]/g

/** An e-mail address with the name of whose it is, where there is one. */
export function namedAddress(name: string, address: string): string {
  const spoken = name.replaceAll(UNSPEAKABLE, '').trim()
  if (spoken === '') return address
  return `${SPECIAL.test(spoken) ? `"${spoken}"` : spoken} <${address}>`
}
