import { UserError } from '../../../platform/user-error.ts'
import {
  type PublishedRate,
  type PublishedRates,
  published,
  readCode,
  readRate,
  readRateDay,
  readUnits,
} from './published-rates.ts'
import { childrenNamed, readXml, type XmlElement, xmlAttribute } from './read-xml.ts'

/** A unit of account of the International Monetary Fund, not a currency. */
const SPECIAL_DRAWING_RIGHT = 'XDR'
/** Six zeros were dropped on this day; before it the bank quotes in old lira (TRL). */
const NEW_LIRA_SINCE = '2005-01-01'

/**
 * Reads a bulletin of the Turkish central bank: today.xml, or YYYYMM/DDMMYYYY.xml of its archive. `Unit` units of a
 * currency cost `ForexBuying` lira, the rate by which Turkish books value foreign currency (VUK art. 280: döviz alış
 * kuru). Currencies without this rate are left out.
 */
export function readTcmbXml(text: string): PublishedRates {
  const root = readXml(text)
  if (root.name !== 'Tarih_Date')
    throw new UserError('invalid_file', 'The XML is not a bulletin (<Tarih_Date>). Download the file again.')
  const day = dayOf(root)
  const currencies = childrenNamed('Currency', root, '<Tarih_Date>').map((element, at) =>
    readCurrency(element, day, `<Currency> number ${at + 1}`),
  )
  return published(
    'tcmb',
    'TRY',
    currencies.filter((rate) => rate !== null),
  )
}

/** The bulletin has its day twice, in Turkish and in American order. */
function dayOf(root: XmlElement): string {
  const turkish = xmlAttribute('Tarih', root, '<Tarih_Date>').replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1')
  const american = xmlAttribute('Date', root, '<Tarih_Date>').replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')
  const day = readRateDay(turkish, 'The bulletin, <Tarih_Date>')
  if (american !== day) {
    throw new UserError(
      'invalid_file',
      `<Tarih_Date> has two different dates, ${day} and ${american}. Download the file again.`,
    )
  }
  if (day < NEW_LIRA_SINCE) {
    throw new UserError(
      'invalid_file',
      `The bulletin of ${day} is in old lira (TRL). Bulletins are supported from ${NEW_LIRA_SINCE}.`,
    )
  }
  return day
}

function readCurrency(element: XmlElement, day: string, where: string): PublishedRate | null {
  const currency = readCode(xmlAttribute('CurrencyCode', element, where), where)
  const { Kod: code = currency } = element.attributes
  if (code !== currency)
    throw new UserError('invalid_file', `${where} has two codes, ${code} and ${currency}. Download the file again.`)
  const buying = textOf('ForexBuying', element, `The <Currency> of ${currency}`)
  if (currency === SPECIAL_DRAWING_RIGHT || buying === '') return null
  const units = textOf('Unit', element, `The <Currency> of ${currency}`)
  return {
    day,
    currency,
    baseUnits: readRate(buying, `The <ForexBuying> of ${currency}`),
    currencyUnits: readUnits(units, `The <Unit> of ${currency}`),
  }
}

function textOf(name: string, element: XmlElement, where: string): string {
  const [value, ...more] = element.children.filter((child) => child.name === name)
  if (value === undefined || more.length > 0 || value.children.length > 0) {
    throw new UserError(
      'invalid_file',
      `${where} does not have exactly one <${name}> with text. Download the file again.`,
    )
  }
  return value.text
}
