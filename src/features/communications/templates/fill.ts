import type { Template } from './template-kinds.ts'

/** What placeholders stand for, as far as there is something to say. */
export type PlaceholderValues = Readonly<Record<string, string | null | undefined>>
/** Words as somebody reads them. */
export type FilledTemplate = { readonly subject: string; readonly plain: string }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const LINE_END = /\r\n?/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/

/** The names in double braces, known or not. */
export const placeholdersOf = (text: string): string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name.trim())
/** The text without its placeholders. */
export const withoutPlaceholders = (text: string): string => text.replace(PLACEHOLDER, '')

/**
 * Puts values where their placeholders are. A line of the body of which a value is missing is left out, and a paragraph
 * that has none of its values.
 */
export function fill({ subject, body }: Template, values: PlaceholderValues): FilledTemplate {
  const put = (text: string) => text.replace(PLACEHOLDER, (_, name: string) => linesOf(values[name.trim()]).join('\n'))
  const isFilled = (line: string) => placeholdersOf(line).every((name) => linesOf(values[name]).length > 0)
  const paragraphs = body.replace(LINE_END, '\n').trim().split(BLANK_LINES)
  const filled = paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split('\n')
    const named = lines.filter((line) => placeholdersOf(line).length > 0)
    return named.length > 0 && !named.some(isFilled) ? [] : [lines.filter(isFilled).map(put).join('\n')]
  })
  return { subject: oneLine(put(subject)), plain: filled.join('\n\n') }
}

/** A value as it may stand in a text: no empty lines, and no control characters. */
const linesOf = (value: string | null | undefined): string[] => (value ?? '').split('\n').map(oneLine).filter(Boolean)
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
