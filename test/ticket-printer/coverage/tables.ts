import type { TicketFile } from '../../../src/features/ticket-printer/ticket-file.ts'
import { everyFixture, fixtureFolders } from '../every-fixture.ts'
import { ELEMENTS, type Element, isWarnedOf } from './elements.ts'

/** The columns of the tables: a format, and the folders of its fixtures. */
const COLUMNS: Readonly<Record<string, RegExp>> = {
  AIR: /^air$/,
  IUR: /^iur$/,
  MIR: /^mir$/,
  TAIR: /^tair$/,
  NDC: /^ndc\d+$/,
  Pegasus: /^pegasus$/,
  Sirena: /^sirena$/,
  TKT: /^tkt$/,
  'Universal Record': /^universal-record$/,
}
const NO_FORMAT = 'unreadable'

/** Folders of fixtures without a column. */
export const foldersWithoutColumn = (): readonly string[] =>
  fixtureFolders().filter(
    (folder) => folder !== NO_FORMAT && !Object.values(COLUMNS).some((pattern) => pattern.test(folder)),
  )

const readingsIn = (pattern: RegExp): readonly TicketFile[] =>
  everyFixture().flatMap(({ folder, expected }) =>
    pattern.test(folder) && !('unreadable' in expected) ? [expected] : [],
  )

/** Kept in the sale, otherwise a warning, otherwise in the capture only, otherwise not read. */
function cellOf(files: readonly TicketFile[], { isRead, isKept }: Element): string {
  const having = files.filter(isRead)
  if (having.length === 0) return '–'
  if (having.some(isKept)) return 'kept'
  return having.every(isWarnedOf) ? 'warned' : 'read'
}

/** The tables of the page about ticket formats, one for each group of elements. */
export function coverageTables(): string {
  const formats = Object.entries(COLUMNS).map(([name, pattern]) => ({ name, files: readingsIn(pattern) }))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return Object.entries(ELEMENTS)
    .map(([group, elements]) =>
      [
        `### ${group}`,
        '',
        line(['', ...formats.map(({ name }) => name)]),
        line(['---', ...formats.map(() => '---')]),
        ...elements.map((element) => line([element.name, ...formats.map(({ files }) => cellOf(files, element))])),
      ].join('\n'),
    )
    .join('\n\n')
}
