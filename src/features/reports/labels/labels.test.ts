import { describe, expect, it } from 'vitest'
import { reportSources } from '../../../registry.ts'
import { publishedFields } from '../builder/published-fields.ts'
import { describePreset } from '../catalogue.ts'
import { labelIn } from './label-in.ts'
import { TURKISH } from './turkish.ts'

const { presets, entities } = reportSources
/** Everything that reports are labelled by. */
const labels = new Set([
  'key',
  ...presets.flatMap((preset) => {
    const { label, filters, columns } = describePreset(preset, '2026-05-01', 'en')
    const groupings = Object.values(preset.groupings ?? {})
    return [label, ...[...filters, ...columns, ...groupings].map((each) => each.label)]
  }),
  ...entities.flatMap((entity) => [...publishedFields(entity).values()].map(({ column }) => column.label)),
])

describe('a label', () => {
  it('has a Turkish text, and none that is not there has one', () => {
    const missing = [...labels].filter((label) => !Object.hasOwn(TURKISH, label))
    expect(missing, 'Add a Turkish text for these labels to src/features/reports/labels/turkish.ts').toEqual([])
    const unused = Object.keys(TURKISH).filter((label) => !labels.has(label))
    expect(unused, 'Remove these labels from labels/turkish.ts').toEqual([])
  })
  it('is unique among the columns of a report, in every language', () => {
    for (const { key, columns } of presets) {
      const texts = Object.values(columns).map(({ label }) => labelIn('tr', label))
      expect([key, texts.filter((text, at) => texts.indexOf(text) !== at)]).toEqual([key, []])
    }
  })
  it.each([
    ['tr', 'Müşteri'],
    ['tr-TR', 'Müşteri'],
    ['en', 'Customer'],
    ['de', 'Customer'],
  ])('is in the language of %s, or in English', (locale, text) => {
    expect(labelIn(locale, 'Customer')).toBe(text)
  })
})
