import type { Custom } from './language.ts'

const CURRENCY = /^[A-Z]{3}$/
/** More than agencies sell in; a writer takes longer to make than a page that has no prices. */
const WRITERS_KEPT = 100
const writers = new Map<string, Intl.NumberFormat>()

/** `€412.50`: with the digits of the amount, since the runtime has wrong digits for some currencies. */
export function priceText(amount: string, currency: string, { locale }: Custom): string {
  if (!CURRENCY.test(currency)) return `${amount} ${currency}`
  const digits = amount.split('.')[1]?.length ?? 0
  const name = `${locale} ${currency} ${digits}`
  const writer = writers.get(name) ?? keepWriter(name, makeWriter(locale, currency, digits))
  return writer.format(amount as `${number}`)
}

function keepWriter(name: string, writer: Intl.NumberFormat): Intl.NumberFormat {
  if (writers.size >= WRITERS_KEPT) writers.clear()
  writers.set(name, writer)
  return writer
}

const makeWriter = (locale: string, currency: string, digits: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
