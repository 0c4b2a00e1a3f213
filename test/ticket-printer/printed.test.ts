import { describe, expect, it } from 'vitest'
import { passengerNameOf } from '../../src/features/ticket-printer/formats/names.ts'
import { withoutCards, withoutLikelyCards } from '../../src/features/ticket-printer/formats/printed.ts'

describe('card numbers in forms of payment', () => {
  it.each([
    ['CCVI4000000000000002/1229', 'CCVIXXXXXXXXXXXX0002/1229'],
    ['CCVI4000 0000 0000 0002/1229', 'CCVIXXXXXXXXXXXX0002/1229'],
    ['CCVI4000-0000-0000-0002', 'CCVIXXXXXXXXXXXX0002'],
    ['CCAX3782 822463 10005', 'CCAXXXXXXXXXXXX0005'],
    ['CCVI4000000000000001+CCCA5555-5555-5555-4444', 'CCVIXXXXXXXXXXXX0001+CCCAXXXXXXXXXXXX4444'],
    ['CCVIXXXXXXXXXXXX0002/1229*A123456', 'CCVIXXXXXXXXXXXX0002/1229*A123456'],
    ['CASH/TRY11532.60', 'CASH/TRY11532.60'],
    [`CC${'4'.repeat(40)}`, `CC${'X'.repeat(36)}4444`],
  ])('%s', (printed, shown) => {
    expect(withoutCards(printed)).toBe(shown)
  })
})

describe('card numbers in free text', () => {
  it.each([
    ['PAID BY 4000000000000002 NONREF', 'PAID BY XXXXXXXXXXXX0002 NONREF'],
    ['PAID BY 4000 0000 0000 0002 1229', 'PAID BY XXXXXXXXXXXX0002 1229'],
    ['PAID BY 3782-822463-10005', 'PAID BY XXXXXXXXXXX0005'],
  ])('%s is masked', (printed, shown) => {
    expect(withoutLikelyCards(printed)).toBe(shown)
  })

  it.each([
    'EXCH 2352400000001-02',
    'EXCH 2352400000009', // It passes Luhn's test.
    'TEL 00905000000000',
    'ORDER 4000000000000001',
    'BSR50.00/NONREF/CHNG EUR50',
  ])('%s contains none', (printed) => {
    expect(withoutLikelyCards(printed)).toBe(printed)
  })
})

describe('names', () => {
  it.each([
    ['YILMAZ/AYSE MRS', 'YILMAZ', 'AYSE', 'MRS'],
    ['YILMAZ/AYSEMRS', 'YILMAZ', 'AYSE', 'MRS'],
    ['ŞAHİN/İREM ÇAĞLA MISS', 'ŞAHİN', 'İREM ÇAĞLA', 'MISS'],
    ['SMITH/WILLIAMS', 'SMITH', 'WILLIAMS', null],
    ['IVANOV/ALEXANDR', 'IVANOV', 'ALEXANDR', null],
    ['IVANOV/ALEXANDR DR', 'IVANOV', 'ALEXANDR', 'DR'],
    ['HASSAN/AMR', 'HASSAN', 'AMR', null],
    ['YILMAZ/MR', 'YILMAZ', '', 'MR'],
  ])('%s', (printed, lastName, firstName, title) => {
    expect(passengerNameOf(printed)).toEqual({ lastName, firstName, title })
  })
})
