import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of collected samples, if there is one: a folder for each format, and `expected*.json` beside them. */
export const SAMPLES = process.env.TICKET_SAMPLES
/** The day of the capture, from which years that are not printed are derived. No sample depends on it. */
export const SAMPLES_TODAY = '2026-11-23'

/** Every sample by folder and file name. */
export const samplesIn = (folder: string): readonly { readonly name: string; readonly bytes: Buffer }[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
