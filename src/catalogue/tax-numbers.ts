/**
 * Formats of European VAT numbers without their country prefix (European Commission, VIES "VAT identification number
 * structure"). Greece writes EL.
 */
const EU_VAT: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I]?)$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
}

/** The countries of the European Union, by their ISO 3166 codes. */
export const EU_COUNTRIES: readonly string[] = Object.keys(EU_VAT)

/** Whether a tax number can be one of the country: Türkiye by checksum, the EU by format, others always. */
export function taxNumberHolds(value: string, country: string): boolean {
  const text = value.replace(/[\s./-]/g, '').toUpperCase()
  if (country === 'TR') return isVkn(text) || isTckn(text)
  const format = EU_VAT[country]
  if (!format) return true
  const prefix = country === 'GR' ? 'EL' : country
  return format.test(text.startsWith(prefix) ? text.slice(2) : text)
}

/** Turkish tax number of companies (Vergi Kimlik Numarası): nine digits and a check digit. */
const isVkn = (text: string): boolean => /^\d{10}$/.test(text) && text[9] === vknCheckDigit(text)

/** The digit that ends a company's tax number, which follows from the nine before it. */
export function vknCheckDigit(nine: string): string {
  let sum = 0
  for (let at = 0; at < 9; at++) {
    const shifted = (Number(nine[at]) + 9 - at) % 10
    const scrambled = (shifted * 2 ** (9 - at)) % 9
    sum += shifted !== 0 && scrambled === 0 ? 9 : scrambled
  }
  return String((10 - (sum % 10)) % 10)
}

/** Turkish identity number of persons (T.C. Kimlik Numarası): nine digits, not zero at first, and two check digits. */
const isTckn = (text: string): boolean => /^[1-9]\d{10}$/.test(text) && text.slice(9) === tcknCheckDigits(text)

/** The two digits that end a person's identity number, which follow from the nine before them. */
export function tcknCheckDigits(nine: string): string {
  let [odd, even] = [0, 0]
  for (let at = 0; at < 9; at++) {
    if (at % 2 === 0) odd += Number(nine[at])
    else even += Number(nine[at])
  }
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return `${tenth}${(odd + even + tenth) % 10}`
}
