// The files that may contain SQL, so that it can be found by file name. docs/adr/0021 has the reasons.
import { globSync, readFileSync } from 'node:fs'

/** What makes a statement. */
const MAKES = /\b(?:statement|byPolicies|listing|oneOff|variantOf|leasedRows|releaseOf)\(/
const EXPORTS = /^export const \w+ = (?:statement|byPolicies|listing|leasedRows|releaseOf)\(/m
/** Stores and views; the commands and reads of a feature, which are one function each; mechanisms. */
const PLACES = /\.(store|view)\.ts$|\/reads\/|^src\/platform\/|^src\/records\/|^src\/imports\/engine\//
const COMMANDS = /\/commands\//

/** Files of other names, with the reason. The list only gets shorter. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/features/reports/compile.ts': 'is all about SQL: it compiles that of a report',
}

export function misplacedSql(): string[] {
  const files = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })
  const makers = files.filter((file) => MAKES.test(readFileSync(file, 'utf8')))
  const outside = makers.filter((file) => !PLACES.test(file) && !COMMANDS.test(file) && !(file in EXCEPTIONS))
  const shared = makers.filter(
    (file) => !PLACES.test(file) && COMMANDS.test(file) && EXPORTS.test(readFileSync(file, 'utf8')),
  )
  return [
    ...outside.map((file) => `${file} has SQL: move it to a .store.ts, or name the file so`),
    ...shared.map((file) => `${file} exports a statement: move it to a .store.ts of the feature`),
    ...Object.keys(EXCEPTIONS).flatMap((file) => (makers.includes(file) ? [] : `${file} needs no exception any more`)),
  ]
}
