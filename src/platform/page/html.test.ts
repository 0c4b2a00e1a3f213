import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/harness/any-text.ts'
import { html } from './html.ts'

const read = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('a template', () => {
  it('takes every value as text, which neither opens a tag nor ends an attribute', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        const written = html`${value}`.text
        expect(written).not.toMatch(/[<>"']/)
        expect(read(written)).toBe(value)
      }),
    )
  })
  it('takes markup as it is, lists one after the other, and nothing for null and false', () => {
    expect(html`<p>${html`<b>${'<'}</b>`}${[1, '&', html`<i></i>`]}${null}${false}</p>`.text).toBe(
      '<p><b>&lt;</b>1&amp;<i></i></p>',
    )
  })
  it('takes an object that looks like markup for text', () => {
    expect(html`${{ text: '<script>' } as never}`.text).not.toContain('<script>')
  })
})
