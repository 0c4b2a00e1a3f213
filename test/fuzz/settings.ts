/** What `npm run fuzz` was asked for; without it, the small run of `npm test`. */
export type FuzzSettings = {
  /** How many cases each operation and each reader gets. */
  readonly cases: number
  readonly seed: number
  /** The one operation, as `GET /customers`. */
  readonly only: string | null
  /** The one case, by its seed. */
  readonly replay: number | null
  /** Whether this is `npm run fuzz`. */
  readonly long: boolean
}

const { FUZZ_CASES, FUZZ_SEED, FUZZ_ONLY, FUZZ_REPLAY } = process.env
const SMALL = 40

export const settings: FuzzSettings = {
  cases: Number(FUZZ_CASES ?? SMALL),
  seed: Number(FUZZ_SEED ?? 1),
  only: FUZZ_ONLY ?? null,
  replay: FUZZ_REPLAY === undefined ? null : Number(FUZZ_REPLAY),
  long: FUZZ_CASES !== undefined,
}

const CASES_PER_RUN = 20
/** How often a property of whole imports is tried, each of which takes as long as many requests. */
export const runsOf = (few: number): number =>
  settings.long ? Math.max(few, Math.ceil(settings.cases / CASES_PER_RUN)) : few
