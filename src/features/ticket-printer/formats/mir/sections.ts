/** One line of a section, and the lines that continue it. */
export type Item = { readonly line: string; readonly more: readonly string[] }
export type Sections = ReadonlyMap<string, readonly Item[]>

const LABEL_LENGTH = 3
/** Fare calculations. Their continuation lines are free text that can begin like a section; an empty line ends them. */
const FREE_TEXT = ['A09', 'A24']

/** The items behind the header, by the label of their section. */
export function sectionsOf(lines: readonly string[]): Sections {
  const sections = new Map<string, { line: string; more: string[] }[]>()
  let open: { label: string; more: string[] } | null = null
  for (const line of lines) {
    const label = labelOf(line)
    if (label === undefined && line.trim() === '') {
      open = null
      continue
    }
    if (label !== undefined && !(open && label !== open.label && FREE_TEXT.includes(open.label))) {
      const item: { line: string; more: string[] } = { line, more: [] }
      const items = sections.get(label)
      if (items) items.push(item)
      else sections.set(label, [item])
      open = { label, more: item.more }
    } else {
      open?.more.push(line)
    }
  }
  return sections
}

/** `A` and two digits. */
function labelOf(line: string): string | undefined {
  const isLabel = line.charCodeAt(0) === 65 && isDigit(line.charCodeAt(1)) && isDigit(line.charCodeAt(2))
  return isLabel ? line.slice(0, LABEL_LENGTH) : undefined
}
const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The text behind a tag at the beginning of a continuation line; null if no line has it. */
export function taggedLine({ more }: Item, tag: string): string | null {
  return more.find((line) => line.startsWith(tag))?.slice(tag.length) ?? null
}
