import { UserError } from '../../../platform/user-error.ts'
import {
  type PublishedRate,
  type PublishedRates,
  published,
  readCode,
  readRate,
  readRateDay,
} from './published-rates.ts'
import { childrenNamed, readXml, type XmlElement, xmlAttribute } from './read-xml.ts'

/**
 * Reads the euro reference rates of the European Central Bank: eurofxref-daily.xml, -hist-90d.xml and -hist.xml. One
 * `Cube` holds a `Cube` for each day, and that one for each currency: 1 EUR = `rate` units of it.
 */
export function readEcbXml(text: string): PublishedRates {
  const root = readXml(text)
  const outer = root.children.filter(({ name }) => name === 'Cube')
  if (root.name !== 'Envelope' || outer.length !== 1) {
    throw new UserError(
      'invalid_file',
      'The XML is not an <Envelope> with one <Cube> of days. Download the file again.',
    )
  }
  return published(
    'ecb',
    'EUR',
    childrenNamed('Cube', outer[0] as XmlElement, 'The outer <Cube>').flatMap((day, at) => readDayCube(day, at + 1)),
  )
}

function readDayCube(cube: XmlElement, place: number): PublishedRate[] {
  const where = `The <Cube> of day number ${place}`
  const day = readRateDay(xmlAttribute('time', cube, where), where)
  return childrenNamed('Cube', cube, `The <Cube> of ${day}`).map((rate, at) => readRateCube(rate, day, at + 1))
}

function readRateCube(cube: XmlElement, day: string, place: number): PublishedRate {
  const where = `<Cube> number ${place} of ${day}`
  if (cube.children.length > 0 || cube.text !== '')
    throw new UserError('invalid_file', `${where} is not empty. Download the file again.`)
  const currency = readCode(xmlAttribute('currency', cube, where), where)
  const units = readRate(xmlAttribute('rate', cube, where), `The rate of ${currency} on ${day}`)
  return { day, currency, baseUnits: '1', currencyUnits: units }
}
