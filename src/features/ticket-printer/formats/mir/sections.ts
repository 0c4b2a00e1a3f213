/** One line of a section, and the lines that continue it. */
export type Item = { readonly line: string; readonly more: readonly string[] }
export type Sections = ReadonlyMap<string, readonly Item[]>

const LABEL = /^A\d\d/
/** Fare calculations, whose continued lines are free text that may begin like a section. An empty line ends them. */
const FREE_TEXT = ['A09', 'A24']

/** The items behind the header by their section's label. */
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

/** What stands behind a tag at the beginning of a continued line; null where no line has it. */
export function taggedLine({ more }: Item, tag: string): string | null {
  return more.find((line) => line.startsWith(tag))?.slice(tag.length) ?? null
}
