import type { Template } from './template-kinds.ts'

/** The values of placeholders; missing ones are absent. */
export type PlaceholderValues = Readonly<Record<string, string | null | undefined>>
/** Values formatted for people. */
export type FilledTemplate = { readonly subject: string; readonly plain: string }

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const LINE_END = /\r\n?/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/

/** The names in double braces, known or not. */
export const placeholdersOf = (text: string): string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name.trim())
/** The names in double braces with their places in the text, from `at` to before `end`. */
export const placeholdersIn = (text: string): { name: string; at: number; end: number }[] =>
  Array.from(text.matchAll(PLACEHOLDER), ({ 0: whole, 1: name = '', index }) => ({
    name: name.trim(),
    at: index,
    end: index + whole.length,
  }))

/**
 * Replaces placeholders with their values. A body line with a missing value is left out, and so is a paragraph without
 * any value.
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

/** A value made safe for a text: no empty lines, and no control characters. */
const linesOf = (value: string | null | undefined): string[] => (value ?? '').split('\n').map(oneLine).filter(Boolean)
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
