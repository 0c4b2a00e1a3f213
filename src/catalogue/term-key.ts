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
