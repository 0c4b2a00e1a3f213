import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../../test/harness/any-text.ts'
import { LANGUAGES } from '../../../platform/page/language.ts'
import { cleanHtml } from '../clean-html.ts'
import { fill, type PlaceholderValues, placeholdersOf } from './fill.ts'
import { mailLayout } from './layout.ts'
import { mailRenderer } from './render-mail.ts'
import { PLACEHOLDERS, TEMPLATE_KINDS, type TemplateKind } from './template-kinds.ts'
import { TEMPLATES } from './templates.ts'

const ALL = TEMPLATE_KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const))
/** What mails have of markup: nothing that a text could have brought. */
const MARKUP =
  /<\/?(?:div|p|a|br|table|tbody|tr|td)(?: (?:lang|dir|style|href|rel|role|cellpadding|cellspacing|border|bgcolor)="[^"<>]*")*(?: \/)?>/g
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const textOf = (html: string): string =>
  html
    .replace(/<br(?: \/)?>/g, '\n')
    .replaceAll('</p>', '\n')
    .replace(MARKUP, '')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] as string)

const letters = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, '')
const write = (
  kind: TemplateKind,
  language: (typeof LANGUAGES)[number],
  values: PlaceholderValues,
  agency = 'Mavi Tur',
) => mailRenderer([])({ kind, language, agency, accent: null, values, unsubscribe: null })

/** Values of a kind: anything that a person may have typed, or nothing. */
const valuesOf = (kind: TemplateKind): fc.Arbitrary<PlaceholderValues> =>
  fc.record(
    Object.fromEntries(
      PLACEHOLDERS[kind].map((name) => [
        name,
        fc.oneof(
          fc.constantFrom(
            null,
            undefined,
            '',
            'Işıl’ın düğünü',
            'رحلة إلى إسطنبول',
            '<script>alert(1)</script>',
            '{{x}}',
          ),
          anyText({ maxLength: 40 }),
          fc.constant('uzun '.repeat(60)),
        ),
      ]),
    ),
  )

describe('a template', () => {
  it.each(ALL)('of %s in %s has only the placeholders of its kind, and all specific ones', (kind, language) => {
    const { subject, body } = TEMPLATES[language].templates[kind]
    const named = new Set(placeholdersOf(`${subject}\n${body}`))
    expect([...named].filter((name) => !(PLACEHOLDERS[kind] as readonly string[]).includes(name))).toEqual([])
    const own = PLACEHOLDERS[kind].filter((name) => /^(?:balance|flights|passports|survey|task)\./.test(name))
    expect(own.filter((name) => !named.has(name))).toEqual([])
    expect(placeholdersOf(subject).every((name) => ['trip.title', 'task.subject'].includes(name))).toBe(true)
  })
  it('in one language has the placeholders that it has in the other', () => {
    const named = (kind: TemplateKind, language: (typeof LANGUAGES)[number]) => {
      const { subject, body } = TEMPLATES[language].templates[kind]
      return [...new Set(placeholdersOf(`${subject}\n${body}`))].toSorted()
    }
    for (const kind of TEMPLATE_KINDS) expect(named(kind, 'tr')).toEqual(named(kind, 'en'))
  })
  it('leaves no placeholder, no empty line too many and no end of line in a subject, whatever is known', () => {
    const asked = fc
      .constantFrom(...ALL)
      .chain(([kind, language]) => valuesOf(kind).map((values) => ({ kind, language, values })))
    fc.assert(
      fc.property(asked, ({ kind, language, values }) => {
        const { subject, plain } = write(kind, language, values)
        const typed = Object.values(values).join(' ')
        if (!/[{}]/.test(typed)) expect(`${subject}${plain}`).not.toMatch(/[{}]/)
        expect(`${subject}${plain}`).not.toMatch(/\bundefined\b|\bnull\b/)
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
        expect(plain).not.toMatch(/\n{3}|^\n|\n$|[^\P{Cc}\n]/u)
      }),
    )
  })
  it('is the same in both forms, and no text becomes markup', () => {
    fc.assert(
      fc.property(anyText(), anyText(), fc.constantFrom(...LANGUAGES), (text, agency, language) => {
        const values = { greeting: text, 'customer.name': text }
        const { plain, html } = write('birthday', language, values, agency)
        expect(html.replace(MARKUP, '')).not.toMatch(/[<>"']/)
        expect(letters(textOf(html))).toBe(letters(agency) + letters(plain))
      }),
    )
  })
})

describe('a line', () => {
  const body = 'Hello\n\nTo pay: {{a}}\nBy: {{b}}\n\nFlights:\n{{c}}\n\nBye\n{{d}}'
  it.each<[PlaceholderValues, string]>([
    [{ a: '1', b: '2', c: '3', d: '4' }, 'Hello\n\nTo pay: 1\nBy: 2\n\nFlights:\n3\n\nBye\n4'],
    [{ b: '2', c: 'x\n\n y ', d: null }, 'Hello\n\nBy: 2\n\nFlights:\nx\ny'],
    [{}, 'Hello'],
    [{ a: '$& {{b}}', b: '' }, 'Hello\n\nTo pay: $& {{b}}'],
  ])('is left out with its value, and a paragraph with all of its values', (values, expected) => {
    expect(fill({ subject: '{{a}} {{ d }}', body }, values).plain).toBe(expected)
  })
  it('may end as it does on any system, and a placeholder may have spaces', () => {
    const { subject, plain } = fill({ subject: 'A {{ a }}', body: '\r\nx\r\n \r\n\r\n{{ a }}\ry\r\n' }, { a: 'b\nc' })
    expect([subject, plain]).toEqual(['A b c', 'x\n\nb\nc\ny'])
  })
})

describe('a mail as HTML', () => {
  const laid = (plain: string, small: string | null = null) =>
    mailLayout({ language: 'tr', agency: 'Mavi <Tur>', accent: null, plain, small, labels: new Map() })
  it.each([
    ['See https://a.example/x?y=1&z=2.', 'https://a.example/x?y=1&z=2', 'See ', '.'],
    ['(http://a.example/ü)', 'http://a.example/ü', '(', ')'],
    ['https://a.example/"onclick="x', 'https://a.example/', '', '"onclick="x'],
  ])('has links where there are addresses: %s', (line, href, before, after) => {
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    expect(laid(line)).toMatch(
      `>${escaped(before)}<a href="${escaped(href)}" style="color:#1f7f8b;word-break:break-all">${escaped(href)}</a>${escaped(after)}</p>`,
    )
  })
  it.each(LANGUAGES)(
    'has a button or a word in place of each address that the program puts there, in %s',
    (language) => {
      const [survey, leave] = ['https://desk.example/f/abc', 'https://desk.example/u/def']
      for (const kind of TEMPLATE_KINDS) {
        const values = Object.fromEntries(
          PLACEHOLDERS[kind].map((name) => [name, name === 'survey.link' ? survey : name]),
        )
        const asked = { kind, language, agency: 'Mavi Tur', accent: '#f4b400', values, unsubscribe: leave }
        const { plain, html } = mailRenderer([])(asked)
        expect(plain).toContain(leave)
        expect(html).toContain(`href="${leave}"`)
        expect(textOf(html)).not.toMatch(/https?:/)
        if (!kind.startsWith('survey')) continue
        expect(plain).toContain(survey)
        expect(html).toMatch(new RegExp(`<table role="presentation".*bgcolor="#\\w{6}".*<a href="${survey}"`))
        expect(textOf(cleanHtml(html))).toBe(textOf(html))
      }
    },
  )
  it('has no other URL schemes, and passes the filter for received mail', () => {
    const html = laid('javascript:alert(1) data:text/html,x\n\n<b>bold</b>', 'small\nhttps://a.example/u')
    expect(html).not.toMatch(/href="(?!https:\/\/a\.example\/u")/)
    expect(textOf(cleanHtml(html)).trim()).toBe(textOf(html).trim())
    expect(html).toContain('<div lang="tr"')
  })
})
