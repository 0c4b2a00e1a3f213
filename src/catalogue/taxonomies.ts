/** A list of terms that an account may add to; these it has from the beginning. */
const terms = <const K extends readonly [string, ...string[]]>(...keys: K) =>
  keys.map((key) => ({ key, label: labelOf(key) })) as unknown as readonly [Term, ...Term[]]
export type Term = { readonly key: string; readonly label: string }

export const TAXONOMIES = {
  lead_source: terms(
    'website',
    'phone',
    'email',
    'walk_in',
    'referral',
    'repeat_customer',
    'social_media',
    'advertisement',
    'marketplace',
    'fair',
    'partner_agency',
    'other',
  ),
  fare_type: terms(
    'published',
    'private',
    'negotiated',
    'corporate',
    'group',
    'charter',
    'tour',
    'student',
    'award',
    'other',
  ),
}
export type Taxonomy = keyof typeof TAXONOMIES

/**
 * A term as its key: letters and digits in lower case, without accents and with one letter for the Turkish dotted and
 * dotless i, and one underscore between them. Empty where there are none.
 */
export const termKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
