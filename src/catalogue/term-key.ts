/**
 * The key of a term: lower-case letters and digits, without accents and with one letter for the Turkish dotted and
 * dotless i, joined by underscores. Empty if there are none.
 */
export const termKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
