/** A request in the making. Ids are still to be filled in. */
export type FuzzRequest = {
  readonly method: string
  readonly path: string
  /** Escaped already. */
  readonly params: { readonly name: string; value: string }[]
  readonly query: [name: string, value: string][]
  readonly queryNames: readonly string[]
  json?: unknown
  /** The raw body, instead of `json`. */
  text?: string | Buffer | undefined
  readonly headers: Record<string, string>
  /** Which of the world's keys sends it. */
  readonly as: string
  /** The mutation; null if the request is valid. */
  readonly mutations: string[]
}
