import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrastOf, DARK_PAPER, LIGHT_PAPER, readableInMail, readableOn } from './readable.ts'
import { STYLE } from './style.ts'

const AA = 4.5
const AA_LARGE = 3
const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

it('any colour of an agency can be read on every paper of a page, in light and dark, and under its own text', () => {
  const papersOf = (rule: string) =>
    [...rule.matchAll(/--(?:paper|card|glow): (#[0-9a-f]{3,6});/g)].map(([, color = '']) =>
      color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color,
    )
  const [light, dark] = [...STYLE.text.matchAll(/:root \{[^}]*\}/g)].map(([rule]) => papersOf(rule)) as [
    string[],
    string[],
  ]
  expect([light.length, dark.length]).toEqual([3, 3])
  fc.assert(
    fc.property(anyColor, (color) => {
      for (const paper of light) expect(contrastOf(readableOn(LIGHT_PAPER, color), paper)).toBeGreaterThanOrEqual(AA)
      for (const paper of dark) expect(contrastOf(readableOn(DARK_PAPER, color), paper)).toBeGreaterThanOrEqual(AA)
    }),
  )
})
it('and in a mail, on white and on a dark ground, and under the white text of a button', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const shown = readableInMail(color)
      expect(contrastOf(shown, '#ffffff')).toBeGreaterThanOrEqual(AA)
      expect(contrastOf(shown, '#222222')).toBeGreaterThanOrEqual(AA_LARGE)
    }),
  )
})
it('a colour that can be read stays as it is', () => {
  expect(readableOn(LIGHT_PAPER, '#11606a')).toBe('#11606a')
  expect(readableOn(DARK_PAPER, '#84ccd4')).toBe('#84ccd4')
})
