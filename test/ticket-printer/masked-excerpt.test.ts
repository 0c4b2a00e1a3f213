import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detect } from '../../src/features/ticket-printer/formats/detect.ts'
import { maskedExcerpt } from '../../src/features/ticket-printer/masked-excerpt.ts'
import { FORMATS, type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { everyFixture, type Fixture } from './every-fixture.ts'

const formatOf = ({ text }: Fixture) => {
  const found = detect(text)
  return found instanceof Unreadable ? 'unknown' : found.format
}
/** Texts that identify the traveller, the price or the payment, if they are longer than a tag. */
function secretsOf({ passengers, documents, remarks, pnr }: TicketFile): string[] {
  const personal = [
    pnr,
    ...passengers.flatMap(({ lastName, firstName, email, phone, frequentFlyer, passport }) => [
      lastName,
      firstName,
      email,
      phone,
      frequentFlyer,
      passport?.number,
    ]),
    ...documents.flatMap(({ number, fare, formOfPayment }) => [
      number.slice(3),
      fare.total?.amount,
      fare.base?.amount,
      formOfPayment?.text,
    ]),
    ...remarks,
  ]
  return personal.flatMap((text) => (text && text.length > 4 && maskedExcerpt(text, 'unknown') !== text ? [text] : []))
}

describe('the excerpt of a file', () => {
  it('contains no name, number, amount or remark of any fixture', () => {
    for (const fixture of everyFixture()) {
      const excerpt = maskedExcerpt(fixture.text, formatOf(fixture))
      if ('unreadable' in fixture.expected) continue
      for (const secret of secretsOf(fixture.expected))
        expect([fixture.name, secret, excerpt.includes(secret)]).toEqual([fixture.name, secret, false])
    }
  })

  it.each([
    [
      'air',
      'AIR-BLK207;7A\rI-001;01YILMAZ/AYSE MRS\rK-FEUR240.00\rENDX',
      'AIR-BLK207;9A\nI-999;99AAAAAA/AAAA AAA\nK-AAAA999.99\nENDX',
    ],
    ['mir', 'A02YILMAZ/AYŞE\nRA:12.50', 'A02AAAAAA/AAAA\nRA:99.99'],
    ['iur', 'M1 0101YILMAZ/AYSE', 'M1 9999AAAAAA/AAAA'],
    ['unknown', 'I-001;YILMAZ Ayşe ٣', 'A-999;AAAAAA Aaaa 9'],
    [
      'xml',
      '<T:PNR a="K1" b = \'x\'><!-- Ayse --><FIO>YILMAZ &amp; CO</FIO><x/>',
      '<T:PNR a="A9" b = \'a\'><!-- Aaaa --><FIO>AAAAAA &aaa; AA</FIO><x/>',
    ],
  ] as const)('of %s keeps tags and signs', (format, text, shown) => {
    expect(maskedExcerpt(text, format)).toBe(shown)
  })

  it('of lines without a known tag contains only placeholders', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const excerpt = maskedExcerpt(`-${text}`, 'unknown')
        expect(excerpt.replace(/[Aa9]/g, '')).not.toMatch(/[\p{L}\p{M}\p{N}]/u)
        expect(excerpt.isWellFormed() && !excerpt.includes('\u0000')).toBe(true)
      }),
    )
  })

  it('of any text can be stored, and respects its length limit', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', '"', '=', 'a', ' ', '\u0000', '\ud800', '\r', '😀'),
          maxLength: 300,
        }),
        fc.constantFrom(...FORMATS),
        (text, format) => {
          const excerpt = maskedExcerpt(text.repeat(50), format)
          expect(excerpt.isWellFormed() && !excerpt.includes('\u0000') && excerpt.length <= 8000).toBe(true)
        },
      ),
    )
  })
})
