/** One line of a section, and the lines that continue it. */
export type Item = { readonly line: string; readonly more: readonly string[] }
export type Sections = ReadonlyMap<string, readonly Item[]>

const LABEL = /^A\d\d/
/** Fare calculations. Their continuation lines are free text that can begin like a section; an empty line ends them. */
const FREE_TEXT = ['A09', 'A24']

/** The items behind the header, by the label of their section. */
export function sectionsOf(lines: readonly string[]): Sections {
  const sections = new Map<string, { line: string; more: string[] }[]>()
  let open: { label: string; more: string[] } | null = null
  for (const line of lines) {
    if (line.trim() === '') {
      open = null
      continue
    }
    const label = LABEL.exec(line)?.[0]
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

/** The text behind a tag at the beginning of a continuation line; null if no line has it. */
export function taggedLine({ more }: Item, tag: string): string | null {
  return more.find((line) => line.startsWith(tag))?.slice(tag.length) ?? null
}
